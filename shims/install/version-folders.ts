import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  folderNameOf,
  isComplete,
  linkTerminalModule,
  type ProgramFile,
  readProgramFiles,
  writeProgramFiles,
} from './program-files.ts';
import { commandLinesOfProcesses } from './running-processes.ts';

const UNFINISHED = '.unfinished-';
const UNFINISHED_FOR_MS = 3_600_000;

/** The copies of one version. */
export interface VersionFolder {
  /** Name of the folder among the versions. */
  name: string;
  folder: string;
  /** True when it had to be written. */
  isNew: boolean;
}

/**
 * Copies the programs of a build into the folder of their version. A folder that is there and whole is used as it is;
 * one that is damaged is replaced. The copy appears in one step.
 *
 * @param bundlesDir folder of all versions.
 */
export function installVersion(bundlesDir: string, builtIn: string, version: string): VersionFolder {
  const files = readProgramFiles(builtIn);
  const name = folderNameOf(version, files);
  const folder = path.join(bundlesDir, name);
  if (isComplete(folder, files)) return { name, folder, isNew: false };
  const draft = path.join(bundlesDir, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  try {
    writeProgramFiles(draft, files);
    linkTerminalModule(builtIn, draft);
    place(draft, folder, files);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
  return { name, folder, isNew: true };
}

/** Gives a finished draft its name, also when a damaged copy, or another installer's, has it. */
function place(draft: string, folder: string, files: readonly ProgramFile[]): void {
  try {
    fs.renameSync(draft, folder);
  } catch (error) {
    if (!fs.existsSync(folder)) throw error;
    if (isComplete(folder, files)) return;
    const damaged = `${draft}-damaged`;
    fs.renameSync(folder, damaged);
    fs.renameSync(draft, folder);
    fs.rmSync(damaged, { recursive: true, force: true });
  }
}

/** Which version folders may go: not kept, and on no running process's command line. Pure. */
export function removableVersions(
  names: readonly string[],
  keep: readonly (string | undefined)[],
  commandLines: readonly string[],
): string[] {
  const kept = new Set(keep);
  return names.filter((name) => !kept.has(name) && !commandLines.some((line) => line.includes(`/${name}/`)));
}

/** Removes versions that nobody needs any more, and drafts that an interrupted installation left. */
export function removeOldVersions(
  bundlesDir: string,
  keep: readonly (string | undefined)[],
  nowMs: number,
): string[] {
  const folders = fs.readdirSync(bundlesDir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map((entry) => entry.name);
  const versions = names.filter((name) => !name.startsWith('.'));
  const isAnyOld = versions.some((name) => !keep.includes(name));
  const commandLines = isAnyOld ? commandLinesOfProcesses() : [];
  const old = removableVersions(versions, keep, commandLines);
  const unfinished = names.filter(
    (name) =>
      name.startsWith(UNFINISHED) &&
      nowMs - fs.statSync(path.join(bundlesDir, name)).mtimeMs > UNFINISHED_FOR_MS,
  );
  for (const name of [...old, ...unfinished])
    fs.rmSync(path.join(bundlesDir, name), { recursive: true, force: true });
  return old;
}
