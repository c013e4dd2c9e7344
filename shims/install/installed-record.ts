import fs from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '../edit/write-file.ts';

/** What is installed for the shims to run. Kept for `doctor`, for upgrades and for the clean-up of old versions. */
export interface InstalledRecord {
  version: string;
  commit: string;
  /** The Node that was checked. */
  node: string;
  nodeVersion: string;
  /** Names of the version folders in use, and before the last upgrade. */
  current: string;
  previous?: string;
  /** The command line the installation was made by. */
  cli: string;
}

/** Where the record lies. */
export function installedRecordPath(bundlesDir: string): string {
  return path.join(bundlesDir, 'installed.json');
}

/** Reads the record, or returns undefined when there is none that can be read. */
export function readInstalledRecord(bundlesDir: string): InstalledRecord | undefined {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(installedRecordPath(bundlesDir), 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is InstalledRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  const texts = ['version', 'commit', 'node', 'nodeVersion', 'current', 'cli'];
  return texts.every((name) => typeof fields.get(name) === 'string');
}

/** Writes the record. */
export function writeInstalledRecord(bundlesDir: string, record: InstalledRecord): void {
  writeFileAtomically(installedRecordPath(bundlesDir), `${JSON.stringify(record, null, 2)}\n`, {
    mode: 0o600,
  });
}
