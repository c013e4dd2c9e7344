import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pump } from '../../../wrappers/claude/pump.ts';
import { until } from '../../support/until.ts';

/** A sink that takes one write at a time and finishes it only when told to. */
class SlowSink extends Writable {
  readonly taken: string[] = [];
  #finish: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(chunk.toString());
    this.#finish = done;
  }

  finishWrite(): void {
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.();
  }
}

describe('a pump', () => {
  it('hands each read to the sink before anything looks at it', async () => {
    const source = new PassThrough();
    const sink = new SlowSink();
    const takenWhenSeen: number[] = [];
    pump({ source, sink, look: () => takenWhenSeen.push(sink.taken.length), onDone: () => {} });
    source.write('a');
    await until(() => takenWhenSeen.length > 0);
    expect(takenWhenSeen).toEqual([1]);
  });

  it('stops reading while the sink is full, and goes on when it has room', async () => {
    const source = new PassThrough({ highWaterMark: 1 });
    const sink = new SlowSink({ highWaterMark: 1 });
    pump({ source, sink, onDone: () => {} });
    source.write('a');
    source.write('b');
    for (let i = 0; i < 5; i += 1) await turn();
    expect(sink.taken).toEqual(['a']);
    expect(source.isPaused()).toBe(true);
    sink.finishWrite();
    await until(() => sink.taken.length === 2);
    expect(sink.taken).toEqual(['a', 'b']);
  });

  it('goes on forwarding when what looks at the bytes fails, and asks it no more', async () => {
    const source = new PassThrough();
    const sink = new PassThrough();
    let looks = 0;
    const look = () => {
      looks += 1;
      throw new Error('broken');
    };
    pump({ source, sink, look, onDone: () => {} });
    source.write('a');
    await turn();
    source.end('b');
    let out = '';
    for await (const chunk of sink) out += chunk;
    expect(out).toBe('ab');
    expect(looks).toBe(1);
  });

  it('writes what is held back before it passes the end on', async () => {
    const source = new PassThrough();
    const sink = new PassThrough();
    const reasons: string[] = [];
    pump({ source, sink, atEnd: () => Buffer.from('!'), onDone: (reason) => reasons.push(reason) });
    source.end('a');
    let out = '';
    for await (const chunk of sink) out += chunk;
    expect(out).toBe('a!');
    expect(reasons).toEqual(['ended']);
  });

  it('lets go of the source when the sink breaks', async () => {
    const source = new PassThrough();
    const sink = new PassThrough();
    const reasons: string[] = [];
    pump({ source, sink, onDone: (reason) => reasons.push(reason) });
    sink.destroy(new Error('gone'));
    await until(() => source.destroyed);
    expect(reasons).toEqual(['sink-broke']);
  });
});
