import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorCode } from '../../contract/errors.ts';

/** How many lines `daemon logs` shows unless told otherwise. */
export const DEFAULT_LOG_LINES = 200;

const POLL_MS = 250;
const READ_BYTES = 65_536;
const NEWLINE = 0x0a;

export interface LogTailOptions {
  file: string;
  /** How many of the last lines to begin with; 0 is all of them. */
  lines: number;
  /** Go on with what is appended, until the signal. */
  follow: boolean;
  signal?: AbortSignal;
  pollMs?: number;
  /** Takes whole lines, newline included. */
  write(text: string): void | Promise<void>;
}

/**
 * Shows the end of a log and, when following, what comes after. A missing file is no error: it is waited for, or there
 * is nothing to show. A file that became shorter or was replaced is read from its beginning; a line that is not
 * finished yet is held back while following.
 */
export async function tailLog(options: LogTailOptions): Promise<void> {
  const position = { offset: 0, inode: 0, partial: Buffer.alloc(0) as Buffer };
  let first = true;
  for (;;) {
    const opened = await openIfThere(options.file);
    if (opened !== undefined) {
      try {
        await readOn(opened, position, options, first);
        first = false;
      } finally {
        await opened.close();
      }
    }
    if (!options.follow || options.signal?.aborted) break;
    await sleep(options.pollMs ?? POLL_MS, undefined, withSignal(options.signal)).catch(() => {});
    if (options.signal?.aborted) break;
  }
  if (!options.follow && position.partial.length > 0)
    await options.write(`${position.partial.toString('utf8')}\n`);
}

interface Position {
  offset: number;
  inode: number;
  partial: Buffer;
}

async function readOn(
  opened: FileHandle,
  position: Position,
  options: LogTailOptions,
  first: boolean,
): Promise<void> {
  const { size, ino } = await opened.stat();
  if (ino !== position.inode || size < position.offset) {
    position.partial = Buffer.alloc(0);
    position.offset = first && options.lines > 0 ? await startOfLastLines(opened, size, options.lines) : 0;
    position.inode = ino;
  }
  const buffer = Buffer.alloc(READ_BYTES);
  for (;;) {
    const { bytesRead } = await opened.read(buffer, 0, buffer.length, position.offset);
    if (bytesRead === 0) return;
    position.offset += bytesRead;
    await writeWholeLines(
      Buffer.concat([position.partial, buffer.subarray(0, bytesRead)]),
      position,
      options,
    );
  }
}

async function writeWholeLines(bytes: Buffer, position: Position, options: LogTailOptions): Promise<void> {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  position.partial = bytes.subarray(end);
  if (end > 0) await options.write(bytes.toString('utf8', 0, end));
}

/** Reads backwards, so that the end of a large log is found without reading the rest. */
async function startOfLastLines(opened: FileHandle, size: number, lines: number): Promise<number> {
  let start = size;
  let found = 0;
  const buffer = Buffer.alloc(READ_BYTES);
  while (start > 0) {
    const length = Math.min(READ_BYTES, start);
    await opened.read(buffer, 0, length, start - length);
    for (let at = length - 1; at >= 0; at--) {
      const isLineEnd = buffer[at] === NEWLINE && start - length + at < size - 1;
      if (isLineEnd && ++found === lines) return start - length + at + 1;
    }
    start -= length;
  }
  return 0;
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
