import { type ExecFileOptions, execFile } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';

/** Bundles a TypeScript program of the tests, so that plain `node` runs it in a process of its own. */
export async function bundleProgram(source: string, folder: string): Promise<string> {
  const outfile = path.join(folder, `${path.basename(source, '.ts')}.cjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, source)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    logLevel: 'error',
  });
  return outfile;
}

export interface Ran {
  /** Exit status, or the name of the signal that ended it. */
  status: number | string;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, with nothing on its standard input but `input`. */
export function run(
  file: string,
  args: readonly string[],
  options: ExecFileOptions & { input?: string } = {},
): Promise<Ran> {
  const { input, ...rest } = options;
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { timeout: 60_000, ...rest, encoding: 'utf8' },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : (error.signal ?? error.code ?? 'failed'), stdout, stderr });
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}
