import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sendRequest } from '../../contract/client.ts';

const run = promisify(execFile);
const READY_MS = 20_000;
const STOP_MS = 10_000;

/** The built command, as npm installs it. */
const builtIn = path.resolve(process.env.OMNI_DEV_BUILD_DIR ?? path.join(import.meta.dirname, '../../dist'));
const OMNI_DEV = path.join(builtIn, 'omni-dev.cjs');

/** Runs `omni-dev ARGS` to its end and returns its output; throws with its errors when it fails. */
export async function omniDev(args: string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, [OMNI_DEV, ...args], { env, timeout: READY_MS });
  return stdout;
}

/** True when a daemon answers on the socket. */
export async function answers(socket: string): Promise<boolean> {
  try {
    return (await sendRequest(socket, { op: 'ping' })).ok;
  } catch {
    return false;
  }
}

/** A real daemon in the foreground of a process of ours. */
export class DaemonProcess {
  readonly socket: string;
  readonly child: ChildProcess;
  #output = '';
  #exited = false;

  private constructor(socket: string, env: Record<string, string>, options: string[]) {
    this.socket = socket;
    this.child = spawn(process.execPath, [OMNI_DEV, 'daemon', 'run', ...options], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString('utf8')).slice(-200_000);
    };
    this.child.stdout?.on('data', keep);
    this.child.stderr?.on('data', keep);
    this.child.on('exit', () => {
      this.#exited = true;
    });
  }

  /** Starts a daemon and resolves once it answers. */
  static async start(
    socket: string,
    env: Record<string, string>,
    options: string[] = [],
  ): Promise<DaemonProcess> {
    const daemon = new DaemonProcess(socket, env, options);
    for (const until = Date.now() + READY_MS; Date.now() < until && !daemon.#exited; await sleep(50)) {
      if (await answers(socket)) return daemon;
    }
    await daemon.stop();
    throw new Error(`the daemon did not become ready:\n${daemon.#output}`);
  }

  /** What the daemon printed, its end only. */
  get output(): string {
    return this.#output;
  }

  /** Stops it as a service manager would; kills it when it does not listen, and says so by throwing. */
  async stop(): Promise<void> {
    if (this.#exited) return;
    this.child.kill('SIGTERM');
    await Promise.race([this.#exit(), sleep(STOP_MS)]);
    if (this.#exited) return;
    this.child.kill('SIGKILL');
    await this.#exit();
    throw new Error(`the daemon did not stop within ${STOP_MS} ms of SIGTERM:\n${this.#output}`);
  }

  #exit(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#exited) resolve();
      else this.child.once('exit', () => resolve());
    });
  }
}
