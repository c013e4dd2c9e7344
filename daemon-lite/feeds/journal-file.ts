import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { LineSplitter } from '../../contract/line-splitter.ts';

/** The sink stops at 512 KiB; a file far beyond that is not one of ours. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_LINE_BYTES = 64 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** What was read of a journal since the last time. */
export interface JournalAppendix {
  lines: string[];
  size: number;
  mtimeMs: number;
  /** False when a partial last line waits for its rest. */
  complete: boolean;
}

/**
 * Reads one journal as it grows. Only bytes behind the last read are read; a partial last line waits. A file that became
 * shorter, or another file of the same name, is read from its start: what it repeats is dropped by its stamps.
 */
export class JournalFile {
  readonly path: string;
  #offset = 0;
  #inode = 0;

  constructor(file: string) {
    this.path = file;
  }

  /** Reads what was appended; undefined when the file is gone or not a regular file of ours. */
  read(uid: number): JournalAppendix | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return undefined;
    }
    try {
      const status = fstatSync(descriptor);
      if (!status.isFile() || status.uid !== uid || status.size > MAX_BYTES) return undefined;
      if (status.ino !== this.#inode || status.size < this.#offset) this.#offset = 0;
      this.#inode = status.ino;
      const { lines, rest } = this.#readLines(descriptor, status.size);
      return { lines, size: status.size, mtimeMs: status.mtimeMs, complete: rest === 0 };
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Puts shortened content in the file's place. Given up when the file changed since it was read.
   *
   * @returns true when it was replaced.
   */
  replace(shorten: (content: string) => string, uid: number): boolean {
    const whole = new JournalFile(this.path);
    const before = whole.read(uid);
    if (before === undefined || !before.complete || before.size !== this.#offset) return false;
    const temporary = `${this.path}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, shorten(`${before.lines.join('\n')}\n`), { mode: 0o600, flag: 'wx' });
      const now = whole.read(uid);
      if (now === undefined || now.lines.length > 0) throw new Error('the journal grew');
      const { ino, size } = statSync(temporary);
      renameSync(temporary, this.path);
      // What it holds was read: only so many stamps are remembered, a wait long over would be set again.
      this.#inode = ino;
      this.#offset = size;
      return true;
    } catch {
      removeFile(temporary);
      return false;
    }
  }

  #readLines(descriptor: number, size: number): { lines: string[]; rest: number } {
    const lines: string[] = [];
    const splitter = new LineSplitter(
      { line: (bytes) => lines.push(bytes.toString('utf8')), oversize: () => lines.push('') },
      { limit: MAX_LINE_BYTES },
    );
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, Math.max(1, size - this.#offset)));
    let position = this.#offset;
    let lineEnd = this.#offset;
    while (position < size) {
      const length = readSync(descriptor, chunk, 0, Math.min(chunk.length, size - position), position);
      if (length === 0) break;
      const part = chunk.subarray(0, length);
      splitter.push(part);
      const newline = part.lastIndexOf(0x0a);
      if (newline !== -1) lineEnd = position + newline + 1;
      position += length;
    }
    this.#offset = lineEnd;
    return { lines, rest: position - lineEnd };
  }
}

/** Removes a file; true when it is gone. */
export function removeFile(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}
