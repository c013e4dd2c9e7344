import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { type LiveRecord, parseLiveRecord } from '../../agents/claude/live-record.ts';
import { systemErrorCode } from '../../contract/errors.ts';

/** A record is under a kilobyte; a file larger than this is none. */
const MAX_RECORD_BYTES = 64 * 1024;

/** What one look at a record file found. `incomplete` may be whole in a moment. */
export type RecordFile = { record: LiveRecord } | 'missing' | 'incomplete' | 'not_ours';

/** The record files in a folder, by name; undefined when the folder itself cannot be read. Keys are never touched. */
export function recordFileNames(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).filter(isRecordName);
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? [] : undefined;
  }
}

export function isRecordName(name: string): boolean {
  return /^\d{1,10}\.json$/.test(name);
}

/** What changes when a record is rewritten, or undefined when there is no such file. */
export function recordFileStamp(folder: string, name: string): string | undefined {
  try {
    const { ino, size, mtimeMs } = lstatSync(path.join(folder, name));
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return undefined;
  }
}

/** Reads one record: regular files of this user only, bounded, no link followed, and named as the pid it holds. */
export function readRecordFile(folder: string, name: string, uid: number): RecordFile {
  let descriptor: number;
  try {
    descriptor = openSync(
      path.join(folder, name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? 'missing' : 'not_ours';
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile() || status.uid !== uid || status.size > MAX_RECORD_BYTES) return 'not_ours';
    const buffer = Buffer.alloc(MAX_RECORD_BYTES);
    const length = readSync(descriptor, buffer, 0, MAX_RECORD_BYTES, 0);
    const record = parseLiveRecord(buffer.toString('utf8', 0, length));
    if (record === undefined) return 'incomplete';
    return record.pid === Number.parseInt(name, 10) ? { record } : 'not_ours';
  } catch {
    return 'incomplete';
  } finally {
    closeSync(descriptor);
  }
}
