import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** The wrapper's own stdout as the reader's end of the child's. */
export interface OwnOutput {
  stream: Writable;
  /** Lets the reader see the end, although this process lives on. Only after the stream has taken everything. */
  close(): void;
}

/** The wrapper's own stdin. */
export interface OwnInput {
  stream: Readable;
  /** Lets the writer see that nobody reads any more. */
  close(): void;
}

/**
 * Opens stdin for forwarding, or returns undefined when the child should have it itself: a terminal or a device, which
 * a pipe in between would change for the child.
 */
export function openOwnInput(): OwnInput | undefined {
  const stats = statOf(0);
  if (stats === undefined || isatty(0)) return undefined;
  if (stats.isFile()) return { stream: process.stdin, close: () => {} };
  if (!isPipe(stats)) return undefined;
  const stream = new Socket({ fd: 0, readable: true, writable: false });
  return {
    stream,
    close: () => {
      stream.destroy();
      putNullInPlaceOf(0);
    },
  };
}

/** Opens stdout for writing without ever blocking this process (pipes and sockets); files are written as they are. */
export function openOwnOutput(): OwnOutput {
  const stats = statOf(1);
  if (stats === undefined || !isPipe(stats)) return { stream: process.stdout, close: () => {} };
  const fd = ownDescription(stats);
  const stream = new Socket({ fd, readable: false, writable: true });
  return {
    stream,
    close: () => {
      stream.destroy();
      putNullInPlaceOf(1);
    },
  };
}

/**
 * Writing without blocking is a mode of the open pipe, not of our number for it. Where stderr is the same pipe (`2>&1`)
 * the child would get that mode on its stderr too, so the pipe is opened once more for us alone. Linux only.
 */
function ownDescription(stdout: Stats): number {
  const stderr = statOf(2);
  const shared = stderr !== undefined && stderr.ino === stdout.ino && stderr.dev === stdout.dev;
  if (!shared || !stdout.isFIFO()) return 1;
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return 1;
  }
}

/** The stream of a standard descriptor never closes it. The null device takes its number, so that no socket can. */
function putNullInPlaceOf(fd: number): void {
  try {
    closeSync(fd);
    openSync('/dev/null', 'r+');
  } catch {
    // Nothing to let go of.
  }
}

function statOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    return undefined;
  }
}

function isPipe(stats: Stats): boolean {
  return stats.isFIFO() || stats.isSocket();
}
