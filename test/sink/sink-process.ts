import { spawn } from 'node:child_process';
import path from 'node:path';

const HOOK = path.join(import.meta.dirname, '../../dist/hook.cjs');

export interface SinkRun {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  elapsedMs: number;
}

export interface SinkRunOptions {
  home: string;
  argv?: string[];
  env?: Record<string, string>;
  /** Leaves standard input open, as an agent that hangs would. */
  keepOpen?: boolean;
  /** Sent once the sink runs. */
  signal?: NodeJS.Signals;
  uid?: number;
}

/** Runs the real sink once with the given standard input, in a home of its own. */
export function runSink(input: string | Buffer, options: SinkRunOptions): Promise<SinkRun> {
  const started = performance.now();
  const child = spawn(process.execPath, [HOOK, ...(options.argv ?? [])], {
    env: { PATH: process.env.PATH ?? '', HOME: options.home, ...options.env },
    stdio: 'pipe',
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.write(input);
  if (options.keepOpen !== true) child.stdin.end();
  const { signal } = options;
  if (signal !== undefined) setTimeout(() => child.kill(signal), 700);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, endSignal) => {
      child.stdin.destroy();
      resolve({
        code,
        signal: endSignal,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
        elapsedMs: performance.now() - started,
      });
    });
  });
}
