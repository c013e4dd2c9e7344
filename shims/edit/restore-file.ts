import fs from 'node:fs';
import { assertWritable, encodeText, readConfigFile, sha256 } from './config-file.ts';
import { type FileRecord, removeEmptyFolders } from './edit-config-file.ts';
import { type LockOptions, takeLock } from './file-lock.ts';
import { revertChanges, type TextChange } from './text-change.ts';
import { writeFileAtomically } from './write-file.ts';

/** What became of a file: its old bytes are back, it is gone as before, or it is not the file that was written. */
export type RestoreOutcome = 'restored' | 'removed' | 'changed-since' | 'missing';

/**
 * Gives a file the bytes it had before an edit, if it is still exactly what the edit made of it. A file that did not
 * exist is removed, with the folders made for it. Otherwise nothing is touched.
 *
 * @throws ConfigFileError when the file cannot be read or written.
 */
export async function restoreFile(record: FileRecord, lock: LockOptions = {}): Promise<RestoreOutcome> {
  if (readConfigFile(record.file, record.target) === undefined) return 'missing';
  const held = await takeLock(record.file, record.target, lock);
  let outcome: RestoreOutcome;
  try {
    outcome = restoreLocked(record);
  } finally {
    held.release();
  }
  if (outcome === 'removed') removeEmptyFolders(record.createdFolders);
  return outcome;
}

function restoreLocked(record: FileRecord): RestoreOutcome {
  const state = readConfigFile(record.file, record.target);
  if (state === undefined) return 'missing';
  if (sha256(state.bytes) !== record.after) return 'changed-since';
  if (record.created) {
    fs.rmSync(record.target);
    return 'removed';
  }
  const before = revertChanges(state.text, record.changes);
  if (before === undefined) return 'changed-since';
  const bytes = encodeText(before, record.byteOrderMark);
  if (sha256(bytes) !== record.before) return 'changed-since';
  assertWritable(record.file, record.target, state, '');
  writeFileAtomically(record.target, bytes, state);
  return 'restored';
}

/**
 * One record for two edits of the same file, or undefined when somebody else wrote the file in between: then the bytes
 * before the first edit cannot come back.
 */
export function joinRecords(first: FileRecord, second: FileRecord): FileRecord | undefined {
  if (first.target !== second.target || first.after !== second.before) return undefined;
  const changes: TextChange[] = [...first.changes, ...second.changes];
  return { ...first, after: second.after, changes };
}
