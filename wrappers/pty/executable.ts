import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** True when the command can be started: the program that starts it on a pseudo-terminal could not say why it failed. */
export function canRun(command: string, searchPath: string | undefined): boolean {
  if (command.includes('/')) return isProgram(command);
  const folders = (searchPath ?? '').split(path.delimiter);
  return folders.some((folder) => isProgram(path.join(folder || '.', command)));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
