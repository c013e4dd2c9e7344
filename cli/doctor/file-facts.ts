import { accessSync, constants, lstatSync } from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../../contract/errors.ts';

/** What `lstat` says of a path, as far as the checks need it. */
export type FileFacts =
  | { kind: 'missing' }
  | { kind: 'unreadable'; code: string }
  | { kind: 'socket' | 'directory' | 'file' | 'link' | 'other'; mode: number; sticky: boolean; uid: number };

const STICKY = 0o1000;

/** Looks at a path without following a link. */
export function fileFacts(file: string): FileFacts {
  try {
    const stats = lstatSync(file);
    return {
      kind: kindOf(stats),
      mode: stats.mode & 0o777,
      sticky: (stats.mode & STICKY) !== 0,
      uid: stats.uid,
    };
  } catch (error) {
    const code = systemErrorCode(error) ?? 'unknown error';
    return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'unreadable', code };
  }
}

/** The folder in which a missing path would be made first, if that is not writable. */
export function unwritableAbove(missing: string): string | undefined {
  const above = path.dirname(missing);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' && above !== missing ? unwritableAbove(above) : above;
  }
}

function kindOf(stats: ReturnType<typeof lstatSync>): 'socket' | 'directory' | 'file' | 'link' | 'other' {
  if (stats === undefined) return 'other';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isSocket()) return 'socket';
  if (stats.isDirectory()) return 'directory';
  return stats.isFile() ? 'file' : 'other';
}

/** Permission bits as people write them: `0600`. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
