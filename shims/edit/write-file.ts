import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../../contract/errors.ts';

/** Who owns a file and what its permissions are. */
export interface FileOwnership {
  mode: number;
  uid: number;
  gid: number;
}

/**
 * Writes a file in one step: a temp file beside it, flushed, then renamed. A reader sees the old bytes or the new ones.
 * Nothing of the temp file is left behind when it fails.
 *
 * @param like permissions and owner to give it. Without them a new file gets `mode`.
 * @throws the system error; the target is untouched then.
 */
export function writeFileAtomically(
  target: string,
  bytes: Buffer | string,
  like: Partial<FileOwnership> = {},
): void {
  const temp = path.join(
    path.dirname(target),
    `.${path.basename(target)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`,
  );
  const descriptor = fs.openSync(temp, 'wx', like.mode ?? 0o666);
  try {
    try {
      fs.writeFileSync(descriptor, bytes);
      imitate(descriptor, like);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temp, target);
  } catch (error) {
    fs.rmSync(temp, { force: true });
    throw error;
  }
}

function imitate(descriptor: number, like: Partial<FileOwnership>): void {
  if (like.uid !== undefined && like.gid !== undefined) {
    const own = fs.fstatSync(descriptor);
    if (own.uid !== like.uid || own.gid !== like.gid) changeOwner(descriptor, like.uid, like.gid, own.uid);
  }
  // After the owner: a change of owner clears permission bits.
  if (like.mode !== undefined) fs.fchmodSync(descriptor, like.mode);
}

/** Gives the file its owner. A group that cannot be given is let go; another owner must not be lost. */
function changeOwner(descriptor: number, uid: number, gid: number, ownUid: number): void {
  try {
    fs.fchownSync(descriptor, uid, gid);
  } catch (error) {
    if (ownUid !== uid) throw error;
  }
}

/**
 * Creates a folder and its missing parents and returns those that it created, the outermost first. Under `sudo` they
 * get the owner of the folder they are in, so that the user is not locked out of a home of their own.
 */
export function createFolders(folder: string, mode = 0o777): string[] {
  const missing: string[] = [];
  let existing = folder;
  while (!fs.existsSync(existing)) {
    missing.unshift(existing);
    existing = path.dirname(existing);
  }
  if (missing.length === 0) return [];
  const { uid, gid } = fs.statSync(existing);
  const made: string[] = [];
  for (const one of missing) {
    if (!makeFolder(one, mode)) continue;
    made.push(one);
    if (process.getuid?.() === 0 && uid !== 0) fs.chownSync(one, uid, gid);
  }
  return made;
}

/** False when another process made it in the meantime. */
function makeFolder(folder: string, mode: number): boolean {
  try {
    fs.mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Owner for a new file in `folder` when we are root in somebody's home, else nothing to imitate. */
export function ownerForNewFile(folder: string): Partial<FileOwnership> {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = fs.statSync(folder);
  return { uid, gid };
}
