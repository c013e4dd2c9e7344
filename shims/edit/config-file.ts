import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../../contract/errors.ts';
import { decodeUtf8 } from '../../contract/line-splitter.ts';
import { ConfigFileError } from './config-file-error.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** What an edit has to know of a file that is there. */
export interface ConfigFileState {
  bytes: Buffer;
  /** The text without its byte order mark. */
  text: string;
  byteOrderMark: boolean;
  /** Permission bits. */
  mode: number;
  uid: number;
  gid: number;
}

/**
 * Follows links to the file that is meant, so that a link into a dotfiles folder stays a link.
 *
 * @throws ConfigFileError for a link that leads nowhere or in circles, or a folder that cannot be entered.
 */
export function resolveTarget(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' && !isLink(file)) return resolveInFolder(file);
    if (code === 'ENOENT' || code === 'ELOOP') {
      throw new ConfigFileError(
        'CONFIG_LINK_BROKEN',
        file,
        'is a link that leads to no file',
        'Create the file it points to, or remove the link, and run the command again.',
        { cause: error },
      );
    }
    throw unreadable(file, error);
  }
}

/** A file that is still to be created: its folder may be reached through links. */
function resolveInFolder(file: string): string {
  try {
    return path.join(fs.realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    return path.resolve(file);
  }
}

function isLink(file: string): boolean {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * Reads the resolved target, or returns undefined when there is none.
 *
 * @param file the path as the user knows it, for messages.
 * @throws ConfigFileError for everything that is no readable text file.
 */
export function readConfigFile(file: string, target: string): ConfigFileState | undefined {
  let bytes: Buffer;
  let stat: fs.Stats;
  try {
    stat = fs.statSync(target);
    if (!stat.isFile()) throw notAFile(file, stat);
    bytes = fs.readFileSync(target);
  } catch (error) {
    if (error instanceof ConfigFileError) throw error;
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw unreadable(file, error);
  }
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) {
    throw new ConfigFileError(
      'CONFIG_NOT_UTF8',
      file,
      'is not UTF-8 text; refusing to overwrite it',
      'Save it as UTF-8 and run the command again.',
    );
  }
  const byteOrderMark = decoded.startsWith(BYTE_ORDER_MARK);
  const text = byteOrderMark ? decoded.slice(1) : decoded;
  return { bytes, text, byteOrderMark, mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid };
}

/** Bytes of a text as it goes back into a file. */
export function encodeText(text: string, byteOrderMark: boolean): Buffer {
  return Buffer.from(byteOrderMark ? BYTE_ORDER_MARK + text : text, 'utf8');
}

/** SHA-256 of a file's bytes in hex. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Refuses a target that its owner closed against writing. The rename of an atomic write needs only the folder's
 * permission, so this has to be asked of the file itself (and of its bits: root may write everything).
 *
 * @param byHand what the user can do instead, as one sentence; empty when there is nothing.
 */
export function assertWritable(file: string, target: string, state: ConfigFileState, byHand: string): void {
  const closed = (state.mode & 0o222) === 0;
  if (!closed && mayWrite(target)) return;
  const fix = `Make it writable (chmod u+w ${target}) and run the command again.`;
  throw new ConfigFileError(
    'CONFIG_READ_ONLY',
    file,
    'is read-only',
    byHand === '' ? fix : `${fix} ${byHand}`,
  );
}

function mayWrite(target: string): boolean {
  try {
    fs.accessSync(target, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function notAFile(file: string, stat: fs.Stats): ConfigFileError {
  const what = stat.isDirectory() ? 'is a directory' : 'is not a regular file';
  return new ConfigFileError(
    'CONFIG_NOT_A_FILE',
    file,
    `${what}, not a settings file`,
    'Move it away, or name the right file, and run the command again.',
  );
}

function unreadable(file: string, error: unknown): ConfigFileError {
  const code = systemErrorCode(error) ?? 'unknown error';
  return new ConfigFileError(
    'CONFIG_UNREADABLE',
    file,
    `cannot be read (${code}); refusing to overwrite it`,
    'Make the file and its folders readable to you and run the command again.',
    { cause: error },
  );
}
