import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
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
  if (signal !== undefined) void whenListening(child).then(() => child.kill(signal));
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

/** Resolves once the sink has its signal handlers, told by SIGHUP's: Node has those of the others from its start. */
async function whenListening(child: ChildProcess): Promise<void> {
  const bit = 1n << BigInt(os.constants.signals.SIGHUP - 1);
  for (let attempt = 0; attempt < 400 && child.exitCode === null; attempt += 1) {
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(statusOf(child.pid))?.[1];
    if (caught !== undefined && (BigInt(`0x${caught}`) & bit) !== 0n) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return '';
  }
}
