import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import { LAUNCHER, LAUNCHER_TEXT } from './launcher.ts';

/** Programs that the shims run, and what one of them loads later. Those that a build leaves out are left out here. */
const PROGRAMS = ['claude-wrap', 'codex-wrap', 'codex-observer', 'hook', 'daemon', 'omni-dev'];
/** What the command line installs into pi. */
const PI_EXTENSION = 'pi-extension.js';
/** Folder of the command line's modules beside them. */
const COMMAND_LINE = 'cli';
/** Module of the terminal wrapper, which is not part of any bundle. */
const TERMINAL_MODULE = '@lydell/node-pty';

/** A file of a version: path relative to the version's folder, and its bytes. */
export interface ProgramFile {
  name: string;
  bytes: Buffer;
}

/**
 * Reads what a build made, launcher included.
 *
 * @throws OmniDevError `PROGRAMS_MISSING` when the folder holds none of the programs.
 */
export function readProgramFiles(builtIn: string): ProgramFile[] {
  const names = PROGRAMS.map((program) => `${program}.cjs`).filter((name) =>
    fs.existsSync(path.join(builtIn, name)),
  );
  if (names.length === 0) {
    throw new OmniDevError(
      'PROGRAMS_MISSING',
      `no programs of omni-dev in ${builtIn}. Install omni-dev again, or build it (npm run build).`,
    );
  }
  const extension = fs.existsSync(path.join(builtIn, PI_EXTENSION)) ? [PI_EXTENSION] : [];
  const all = [...names, ...extension, ...commandLineFiles(builtIn)];
  const files = all.map((name) => ({ name, bytes: fs.readFileSync(path.join(builtIn, name)) }));
  return [...files, { name: LAUNCHER, bytes: Buffer.from(LAUNCHER_TEXT) }];
}

function commandLineFiles(builtIn: string): string[] {
  const folder = path.join(builtIn, COMMAND_LINE);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => path.join(COMMAND_LINE, name))
    .sort();
}

/** Name of the folder for these files: the version, and a hash so that two builds of one version do not meet. */
export function folderNameOf(version: string, files: readonly ProgramFile[]): string {
  const hash = createHash('sha256');
  for (const { name, bytes } of files) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  const safeVersion = version.replace(/[^A-Za-z0-9.+-]/g, '_');
  return `${safeVersion}-${hash.digest('hex').slice(0, 12)}`;
}

/** True when every file of a folder is there with its bytes. */
export function isComplete(folder: string, files: readonly ProgramFile[]): boolean {
  return files.every(({ name, bytes }) => {
    try {
      return fs.readFileSync(path.join(folder, name)).equals(bytes);
    } catch {
      return false;
    }
  });
}

/** Writes the files into a folder that is not there yet. Only their owner may read them. */
export function writeProgramFiles(folder: string, files: readonly ProgramFile[]): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name, bytes } of files) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, bytes, { mode: 0o600 });
  }
}

/** Links the terminal module, where the installation has it, so that a copy finds it too. Without it nothing else breaks. */
export function linkTerminalModule(builtIn: string, folder: string): void {
  try {
    const manifest = createRequire(path.join(builtIn, 'from.cjs')).resolve(`${TERMINAL_MODULE}/package.json`);
    const link = path.join(folder, 'node_modules', TERMINAL_MODULE);
    fs.mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 });
    fs.rmSync(link, { force: true });
    fs.symlinkSync(path.dirname(manifest), link);
  } catch {
    // Optional: the terminal wrapper says so itself when it is asked for.
  }
}
