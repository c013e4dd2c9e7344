import type { SnapshotPayload } from '../../contract/messages.ts';
import type { CliContext } from '../context.ts';
import { remark } from '../output.ts';
import { LiveSnapshots } from './live-snapshots.ts';

export interface SnapshotLinesOptions {
  socket: string;
  /** The text of one snapshot, newline included; '' prints nothing. */
  format(payload: SnapshotPayload): string;
  /** Ends the stream from outside. */
  signal?: AbortSignal;
}

/**
 * Prints every snapshot as lines, for programs that read along. A reader that is slow gets the newest snapshot when it
 * reads again, not all that it missed. Ends when the reader is gone or the signal says so.
 */
export function printSnapshots(context: CliContext, options: SnapshotLinesOptions): Promise<void> {
  return new Promise((resolve) => {
    let waiting: SnapshotPayload | undefined;
    let blocked = false;
    const live = new LiveSnapshots(options.socket, {
      snapshot: (payload) => {
        waiting = payload;
        flush();
      },
      connected: (up) => {
        if (!up) void remark(context, 'omni-dev: no daemon answers, reconnecting…');
      },
    });
    function flush(): void {
      if (blocked || waiting === undefined) return;
      const text = options.format(waiting);
      waiting = undefined;
      if (text === '' || context.stdout.write(text)) return;
      blocked = true;
      context.stdout.once('drain', () => {
        blocked = false;
        flush();
      });
    }
    function stop(): void {
      live.close();
      context.readerGone.removeEventListener('abort', stop);
      options.signal?.removeEventListener('abort', stop);
      resolve();
    }
    context.readerGone.addEventListener('abort', stop, { once: true });
    options.signal?.addEventListener('abort', stop, { once: true });
    if (context.readerGone.aborted || options.signal?.aborted === true) stop();
  });
}
