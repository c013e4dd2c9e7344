import fs from 'node:fs';
import path from 'node:path';
import { OmniDevError, systemErrorCode } from '../../contract/errors.ts';
import type { Paths } from '../../contract/paths.ts';
import type { FileRecord } from '../edit/edit-config-file.ts';
import { joinRecords } from '../edit/restore-file.ts';
import { writeFileAtomically } from '../edit/write-file.ts';

/** What setups did, so that `teardown` can take it back. It holds our own insertions and no settings of the user. */
export interface SetupRecord {
  version: 1;
  /** One per edited file: how to get the bytes before the first setup back. */
  files: FileRecord[];
  /** Settings files of editors that point at our shim. */
  editors: string[];
  /** Per settings file, the wrapper of somebody else that ours replaced. */
  earlierWrappers: Record<string, string>;
  /** Settings files into which the `hooks` member itself was put. */
  createdHooks: string[];
  claudeSettings?: string;
  codexHome?: string;
  piAgentDir?: string;
}

export const EMPTY_RECORD: SetupRecord = {
  version: 1,
  files: [],
  editors: [],
  earlierWrappers: {},
  createdHooks: [],
};

/** Where the record lies. */
export function setupRecordPath(paths: Paths): string {
  return path.join(paths.runtimeDir, 'setup.json');
}

/**
 * Reads the record; the empty one when there is none.
 *
 * @throws OmniDevError `SETUP_RECORD_BROKEN` when it cannot be read: a new one would forget what the old one knows.
 */
export function readSetupRecord(paths: Paths): SetupRecord {
  const file = setupRecordPath(paths);
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (isSetupRecord(value)) return value;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return EMPTY_RECORD;
  }
  throw new OmniDevError(
    'SETUP_RECORD_BROKEN',
    `${file} cannot be read. Move it away and run the command again: ` +
      'our entries are then taken out one by one, which may leave other white space than before.',
  );
}

/** Writes the record, or removes it when nothing is set up any more. */
export function writeSetupRecord(paths: Paths, record: SetupRecord): void {
  const file = setupRecordPath(paths);
  if (JSON.stringify(record) === JSON.stringify(EMPTY_RECORD)) {
    // Even by force nothing can be removed below a file that stands where the folder should.
    if (fs.existsSync(file)) fs.rmSync(file);
    return;
  }
  writeFileAtomically(file, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/**
 * Adds the records of new edits. Where somebody else changed a file between two of our edits, its first bytes cannot come
 * back any more: its record goes, and `teardown` takes our entries out instead.
 */
export function withFiles(record: SetupRecord, edits: readonly FileRecord[]): SetupRecord {
  const files = [...record.files];
  for (const edit of edits) {
    const at = files.findIndex((known) => known.target === edit.target);
    const known = files[at];
    if (known === undefined) files.push(edit);
    else files.splice(at, 1, ...joined(known, edit));
  }
  return { ...record, files };
}

function joined(known: FileRecord, edit: FileRecord): FileRecord[] {
  const both = joinRecords(known, edit);
  return both === undefined ? [] : [both];
}

/** A list with further items, each once. */
export function union(known: readonly string[], further: readonly string[]): string[] {
  return [...new Set([...known, ...further])];
}

function isSetupRecord(value: unknown): value is SetupRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  const lists = ['files', 'editors', 'createdHooks'];
  return fields.get('version') === 1 && lists.every((name) => Array.isArray(fields.get(name)));
}
