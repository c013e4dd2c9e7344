import fs from 'node:fs';
import { systemErrorCode } from '../../contract/errors.ts';

/** The two figures that tell whether a file was written since: one stat call. */
export interface FileStamp {
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

/** Takes one file of a listing. Called for thousands: nothing is made for a file but what the listing keeps. */
export type FileVisitor = (id: string, path: string, stamp: FileStamp) => void;

const shared: FileStamp = { size: 0, writtenAt: 0 };

/**
 * The stamp of a regular file (links are followed), or undefined where there is none. What keeps a file from being looked
 * at is noted; a file that is gone is not. The stamp is valid until the next call.
 */
export function stampOf(file: string, problems: ReadProblem[]): FileStamp | undefined {
  try {
    const found = fs.statSync(file, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile()) return undefined;
    shared.size = found.size;
    shared.writtenAt = found.mtimeMs;
    return shared;
  } catch (error) {
    noteProblem(problems, file, error);
    return undefined;
  }
}

/** Bytes of a regular file, or undefined where there is none that can be looked at. */
export function sizeOf(file: string): number | undefined {
  return stampOf(file, [])?.size;
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
