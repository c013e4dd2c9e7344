import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { probe } from '../../../daemon-lite/service/socket-claim.ts';
import { until } from '../../support/until.ts';

/** The built daemon program; OMNI_DEV_TEST_DIST names the programs of another build. */
export const DAEMON_PROGRAM = path.join(
  process.env.OMNI_DEV_TEST_DIST ?? path.join(import.meta.dirname, '../../../dist'),
  'daemon.cjs',
);

export interface DaemonProcessOptions {
  env: Record<string, string>;
  socket?: string;
  args?: string[];
  uid?: number;
}

/** A foreground daemon as a real process. */
export class DaemonProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<number | string>;
  stderr = '';
  exitCode: number | string | undefined;

  constructor(options: DaemonProcessOptions) {
    const socket = options.socket === undefined ? [] : ['--socket', options.socket];
    this.child = spawn(process.execPath, [DAEMON_PROGRAM, 'run', ...socket, ...(options.args ?? [])], {
      env: options.env,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += String(chunk);
    });
    this.exited = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        this.exitCode = code ?? signal ?? 'unknown';
        resolve(this.exitCode);
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves when it serves the socket or has failed. */
  async settled(socket: string): Promise<'serving' | 'failed'> {
    await until(
      async () =>
        this.exitCode !== undefined ||
        (this.stderr.includes('daemon_started') && (await probe(socket)) === 'alive'),
      () => `the daemon neither serves nor fails: ${this.stderr}`,
    );
    return this.exitCode === undefined ? 'serving' : 'failed';
  }

  /** Kills it if it still runs, suspended or not, and waits until it is gone. */
  async remove(): Promise<void> {
    if (this.exitCode === undefined) this.child.kill('SIGKILL');
    await this.exited;
  }
}
