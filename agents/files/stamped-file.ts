import fs from 'node:fs';
import { systemErrorCode } from '../../contract/errors.ts';

/** A file with the two figures that tell whether it was written since: one stat call. */
export interface StampedFile {
  path: string;
  /** Bytes. */
  size: number;
  /** Last write, ms since 1970. */
  writtenAt: number;
}

/** A folder or file that could not be read: the listing goes on without it. */
export interface ReadProblem {
  path: string;
  /** `EACCES`, `EIO`, ... */
  code: string;
}

/** The stamp of a regular file (links are followed), or undefined where there is none. */
export function stampOf(file: string): StampedFile | undefined {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return undefined;
  return { path: file, size: found.size, writtenAt: found.mtimeMs };
}

/** As {@link stampOf}; what keeps a file from being looked at is noted, and a file that is gone is not. */
export function tryStampOf(file: string, problems: ReadProblem[]): StampedFile | undefined {
  try {
    return stampOf(file);
  } catch (error) {
    noteProblem(problems, file, error);
    return undefined;
  }
}

/** The names in a folder; none when it does not exist. A folder that cannot be read is noted. */
export function namesIn(folder: string, problems: ReadProblem[]): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    noteProblem(problems, folder, error);
    return [];
  }
}

function noteProblem(problems: ReadProblem[], at: string, error: unknown): void {
  const code = systemErrorCode(error) ?? 'UNKNOWN';
  // Gone, or a file where a folder could be: nothing to read is no failure.
  if (code === 'ENOENT' || code === 'ENOTDIR') return;
  problems.push({ path: at, code });
}
