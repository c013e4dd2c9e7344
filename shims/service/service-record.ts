import fs from 'node:fs';
import path from 'node:path';
import type { Paths } from '../../contract/paths.ts';
import { writeFileAtomically } from '../edit/write-file.ts';

/** What `daemon install` wrote, so that `daemon uninstall` takes out that and nothing else. */
export interface ServiceRecord {
  version: 1;
  /** The socket of the daemon that is kept. */
  socket: string;
  /** Each file with the contents that it may have as ours: the last written one, and one that it replaced. */
  files: { file: string; contents: string[] }[];
  /** Folders made for them, the outermost first. */
  createdFolders: string[];
}

/** Where the record lies. */
export function serviceRecordPath(paths: Paths): string {
  return path.join(paths.runtimeDir, 'service.json');
}

/** Reads the record; undefined when there is none that can be read: then only what we would write now counts as ours. */
export function readServiceRecord(paths: Paths): ServiceRecord | undefined {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(serviceRecordPath(paths), 'utf8'));
    return isServiceRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the record, or removes it when nothing is installed any more. */
export function writeServiceRecord(paths: Paths, record: ServiceRecord | undefined): void {
  const file = serviceRecordPath(paths);
  if (record === undefined) {
    // Even by force nothing can be removed below a file that stands where the folder should.
    if (fs.existsSync(file)) fs.rmSync(file);
    return;
  }
  writeFileAtomically(file, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

function isServiceRecord(value: unknown): value is ServiceRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  const files: unknown = fields.get('files');
  return (
    fields.get('version') === 1 &&
    typeof fields.get('socket') === 'string' &&
    isTextList(fields.get('createdFolders')) &&
    Array.isArray(files) &&
    files.every(isFileEntry)
  );
}

function isFileEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'file' in value && typeof value.file === 'string' && 'contents' in value && isTextList(value.contents)
  );
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
