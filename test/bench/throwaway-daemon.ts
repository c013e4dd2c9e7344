import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sendRequest } from '../../contract/client.ts';
import { resolvePaths } from '../../contract/paths.ts';
import { built } from './programs.ts';

/** A home of its own, and the real daemon in it. */
export class ThrowawayDaemon {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'bench-home-'));
  readonly paths = resolvePaths({
    env: {},
    platform: process.platform,
    home: this.home,
    uid: process.getuid?.() ?? 0,
  });
  readonly env = { PATH: process.env.PATH ?? '', HOME: this.home };
  #child: ChildProcess | undefined;

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, [built('daemon'), 'run'], {
      env: this.env,
      stdio: 'ignore',
    });
    for (let attempt = 0; attempt < 200; attempt += 1) {
      try {
        await sendRequest(this.paths.socket, { op: 'ping' });
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
    throw new Error('the daemon did not start');
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => child.on('close', resolve));
    child.kill('SIGTERM');
    await closed;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Processor time that a process has used, in milliseconds (Linux). */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process in megabytes (Linux). */
export function residentMegabytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Number(line?.[1] ?? 0) / 1024;
}
