import { execFile } from 'node:child_process';

const TIMEOUT_MS = 5_000;

/** Runs a tool and gives its output, or undefined when it is missing or fails. */
export function toolOutput(
  file: string,
  args: readonly string[],
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env, LC_ALL: 'C' }, timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 };
    execFile(file, [...args], options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}
