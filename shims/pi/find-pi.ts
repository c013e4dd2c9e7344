import fs from 'node:fs';
import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';
import { PI_EXTENSION_FILE } from './pi-extension-text.ts';

/** pi's agent directory: the named one, PI_CODING_AGENT_DIR, else `~/.pi/agent`. */
export function piAgentDir(around: Surroundings, named?: string): string {
  const configured = named ?? around.env.PI_CODING_AGENT_DIR;
  if (configured === undefined || configured === '') return path.join(around.home, '.pi', 'agent');
  if (configured === '~' || configured.startsWith('~/')) return path.join(around.home, configured.slice(1));
  return path.resolve(configured);
}

/** Where the extension goes: loaded from there into every pi session of the user. */
export function piExtensionFile(around: Surroundings, named?: string): string {
  return path.join(piAgentDir(around, named), 'extensions', PI_EXTENSION_FILE);
}

/** True when pi is here: its agent directory exists, or a `pi` executable is on PATH. */
export function isPiInstalled(around: Surroundings): boolean {
  if (fs.existsSync(piAgentDir(around))) return true;
  const folders = (around.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.some((folder) => isExecutableFile(path.join(folder, 'pi')));
}

function isExecutableFile(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
