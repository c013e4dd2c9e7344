import fs from 'node:fs';
import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';

/** Path of a program on the user's PATH, or undefined. Relative folders of PATH are passed over. */
export function findOnPath({ env }: Surroundings, name: string): string | undefined {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isExecutableFile);
}

/** True when a file is there that may be run. */
export function isExecutableFile(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
