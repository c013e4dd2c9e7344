import fs from 'node:fs';
import path from 'node:path';
import type { Paths } from '../../contract/paths.ts';

/**
 * Removes the shims and every version of the programs, and the folders that this empties. What the daemon keeps beside
 * them is its own. True when there was anything.
 */
export function removePrograms(paths: Paths): boolean {
  const made = [paths.wrapperShim, paths.commandShim, paths.bundlesDir];
  const present = made.filter((file) => fs.existsSync(file));
  for (const file of present) fs.rmSync(file, { recursive: true, force: true });
  for (const folder of [path.dirname(paths.commandShim), paths.runtimeDir]) removeIfEmpty(folder);
  return present.length > 0;
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // Not there, or somebody else's files are in it.
  }
}
