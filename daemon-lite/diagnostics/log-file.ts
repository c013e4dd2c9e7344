import { fchmodSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { LogSink } from './log.ts';

/** Size at which the log file is cut to its last half. */
export const LOG_LIMIT_BYTES = 5 * 1_024 * 1_024;

const NEWLINE = 0x0a;

/** Opens (and creates, 0600) a log for appending; an existing file is re-tightened, a device is left as it is. */
export function openLogFile(file: string): number {
  const descriptor = openSync(file, 'a+', 0o600);
  if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600);
  return descriptor;
}

/**
 * Writes lines to a log file and keeps it below `limit` bytes: when it is reached the file is cut in place to its last
 * half, from a line boundary on. In place, because a starter's own descriptor (standard error of the daemon) appends to
 * the same file. A full or broken disk loses records, nothing else.
 */
export function logFileSink(descriptor: number, limit = LOG_LIMIT_BYTES): LogSink {
  let size = sizeOf(descriptor);
  return (line) => {
    try {
      size += writeSync(descriptor, line);
      if (size > limit) size = cutToLastHalf(descriptor, limit);
    } catch {
      // A log that cannot be written must not stop the daemon.
    }
  };
}

/** Writes lines to a descriptor that is not ours to cut: standard error of a foreground daemon. */
export function descriptorSink(descriptor: number): LogSink {
  return (line) => {
    try {
      writeSync(descriptor, line);
    } catch {
      // The terminal or pipe is gone.
    }
  };
}

function sizeOf(descriptor: number): number {
  try {
    return fstatSync(descriptor).size;
  } catch {
    return 0;
  }
}

/** Returns the new size. */
function cutToLastHalf(descriptor: number, limit: number): number {
  const size = sizeOf(descriptor);
  const kept = Buffer.alloc(Math.min(size, Math.floor(limit / 2)));
  const length = readSync(descriptor, kept, 0, kept.length, size - kept.length);
  const start = kept.indexOf(NEWLINE) + 1;
  ftruncateSync(descriptor, 0);
  return writeSync(descriptor, kept, start, length - start);
}
