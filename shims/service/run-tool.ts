import { execFile } from 'node:child_process';
import { systemErrorCode } from '../../contract/errors.ts';

/** A service manager starts and stops what it is told to within this, or says why not. */
const TIMEOUT_MS = 60_000;

/** What a tool said. `missing`: there is no such program. */
export type ToolResult =
  | { is: 'missing' }
  | { is: 'ran'; ok: boolean; stdout: string /** What it said on failure, on one line. */; said: string };

/** Runs a program to its end. */
export type RunTool = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) => Promise<ToolResult>;

/** The real {@link RunTool}. */
export const runTool: RunTool = (file, args, env) =>
  new Promise((resolve) => {
    const options = { env: { ...env, LC_ALL: 'C' }, timeout: TIMEOUT_MS };
    execFile(file, [...args], options, (error, stdout, stderr) => {
      if (systemErrorCode(error) === 'ENOENT') return resolve({ is: 'missing' });
      const said = `${stderr || (error?.message ?? '')}`
        .trim()
        .split(/\s*\n\s*/)
        .join('; ');
      resolve({ is: 'ran', ok: error === null, stdout, said });
    });
  });
