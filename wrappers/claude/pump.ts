import type { Readable, Writable } from 'node:stream';

export interface PumpOptions {
  source: Readable;
  sink: Writable;
  /** Changes a read on its way; absent, bytes pass as they are. */
  rewrite?: (chunk: Buffer) => readonly Buffer[];
  /** Shown each read after it was handed to the sink. */
  look?: (chunk: Buffer) => void;
  /** Called once when the source ended and everything before was handed over; returns what is still to be written. */
  atEnd?: () => Buffer | undefined;
  /** The source is at its end and the sink took everything, or one of them broke. */
  onDone(reason: 'ended' | 'sink-broke'): void;
}

/**
 * Forwards bytes from a source to a sink: each read is written before anything else looks at it, the source is paused
 * while the sink is full, the end is passed on. Nothing is dropped and nothing is held beyond the streams' own buffers.
 */
export function pump({ source, sink, rewrite, look, atEnd, onDone }: PumpOptions): void {
  let done = false;
  const finish = (reason: 'ended' | 'sink-broke') => {
    if (done) return;
    done = true;
    onDone(reason);
  };
  const write = (bytes: Buffer) => {
    // What the kernel took at once is gone already and needs no pause, whatever the high-water mark says.
    if (!sink.write(bytes) && sink.writableLength > 0) source.pause();
  };

  let ended = false;
  const end = () => {
    if (ended || done) return;
    ended = true;
    const rest = atEnd?.();
    if (rest !== undefined) sink.write(rest);
    sink.end(() => finish('ended'));
  };

  let lookNow = look;
  source.on('data', (chunk: Buffer) => {
    if (rewrite === undefined) write(chunk);
    else for (const piece of rewrite(chunk)) write(piece);
    try {
      lookNow?.(chunk);
    } catch {
      // An observer that fails once is switched off: forwarding is what matters.
      lookNow = undefined;
    }
  });
  sink.on('drain', () => source.resume());
  source.on('end', end);
  // A source that broke has no more bytes to give; what it gave is delivered.
  source.on('error', () => {});
  source.on('close', end);
  sink.on('error', () => {
    source.destroy();
    finish('sink-broke');
  });
  sink.on('close', () => {
    if (!ended) source.destroy();
    finish(ended ? 'ended' : 'sink-broke');
  });
}
