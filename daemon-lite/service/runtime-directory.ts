import { chmodSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { OmniDevError, systemErrorCode } from '../../contract/errors.ts';

const OWNER_ONLY = 0o700;
const GROUP_OR_OTHERS = 0o077;
const GROUP_OR_OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Problem with the directory of the socket; the daemon must not start in it. */
function refused(directory: string, why: string): OmniDevError {
  return new OmniDevError(
    'RUNTIME_DIR_UNSAFE',
    `the directory ${directory} ${why}; remove it or pass another --socket path`,
  );
}

/**
 * Makes sure that the directory of the socket is a private one of this user: creates it 0700 where it is missing, and
 * tightens an own directory that is ours by name (`tighten`). Looks with `lstat` before use, since in a shared place
 * such as /tmp somebody else could have put it, or a link, there first.
 *
 * @throws OmniDevError RUNTIME_DIR_UNSAFE, RUNTIME_DIR_UNUSABLE
 */
export function prepareRuntimeDirectory(directory: string, uid: number, tighten: boolean): void {
  const found = lstatOf(directory) ?? create(directory);
  if (found.isSymbolicLink() && !isTrustedLink(directory, found, uid))
    throw refused(directory, 'is a symbolic link in a shared place');
  const target = found.isSymbolicLink() ? behindLink(directory) : found;
  if (!target.isDirectory()) throw refused(directory, 'is not a directory');
  if (target.uid !== uid) {
    if (tighten || !isShared(target)) throw refused(directory, `belongs to user ${target.uid}`);
    return;
  }
  if (tighten && (target.mode & GROUP_OR_OTHERS) !== 0) chmodSync(directory, OWNER_ONLY);
}

/** A directory of the system that anybody may create files in, but only their owner may remove (/tmp). */
function isShared(directory: Stats): boolean {
  return directory.uid === 0 && (directory.mode & STICKY) !== 0;
}

/** A link is trusted only where nobody else could have put it: made by this user, in a directory only they write. */
export function isTrustedLink(directory: string, link: { uid: number }, uid: number): boolean {
  const parent = statSync(path.dirname(directory));
  return link.uid === uid && parent.uid === uid && (parent.mode & GROUP_OR_OTHERS_WRITE) === 0;
}

function behindLink(directory: string): Stats {
  try {
    return statSync(directory);
  } catch (error) {
    throw unusable(directory, error);
  }
}

function create(directory: string): Stats {
  try {
    mkdirSync(path.dirname(directory), { recursive: true });
    mkdirSync(directory, { mode: OWNER_ONLY });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw unusable(directory, error);
  }
  return lstatSync(directory);
}

function lstatOf(directory: string): Stats | undefined {
  try {
    return lstatSync(directory);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw unusable(directory, error);
  }
}

function unusable(directory: string, error: unknown): OmniDevError {
  const code = systemErrorCode(error) ?? 'unknown error';
  return new OmniDevError('RUNTIME_DIR_UNUSABLE', `cannot create or read ${directory}: ${code}`, {
    cause: error,
  });
}
