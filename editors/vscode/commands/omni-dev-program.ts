import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

const RUN_TIMEOUT_MS = 30_000;

/** What became of one run of the command line. `output` is what it wrote, both streams. */
export interface ProgramRun {
  ok: boolean;
  output: string;
}

/**
 * The omni-dev program: the one the settings name, the installed shim, then PATH. Undefined when there is none.
 *
 * @param named the setting `binaryPath`; when it is set nothing else is tried.
 */
export async function findProgram(
  named: string | undefined,
  shim: string,
  searchPath: string | undefined,
): Promise<string | undefined> {
  const directories = (searchPath ?? '')
    .split(path.delimiter)
    .filter((directory) => path.isAbsolute(directory));
  const candidates =
    named === undefined
      ? [shim, ...directories.map((directory) => path.join(directory, 'omni-dev'))]
      : [named];
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs the program without a shell. Never throws: what went wrong is in the output. */
export function runProgram(program: string, args: readonly string[]): Promise<ProgramRun> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: RUN_TIMEOUT_MS }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      resolve({ ok: error === null, output: output || (error?.message ?? '') });
    });
  });
}

/**
 * The settings file that VS Code reads in the place this extension runs. A remote host has its own (`Machine`), the
 * browser's and the desktop's is the user's.
 *
 * @param globalStorage the extension's storage folder, `<user data>/User/globalStorage/<extension>`.
 */
export function settingsFile(globalStorage: string, isRemoteDesktop: boolean): string {
  const userData = path.resolve(globalStorage, '../../..');
  return path.join(userData, isRemoteDesktop ? 'Machine' : 'User', 'settings.json');
}
