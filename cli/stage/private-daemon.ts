import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest } from '../../contract/client.ts';

const READY_MS = 10_000;
const POLL_MS = 25;
const STOP_MS = 3_000;

export interface PrivateDaemonOptions {
  /** Program and arguments. */
  command: readonly [string, ...string[]];
  /** Where it is going to listen. */
  socket: string;
  /** Its whole environment: nothing of it may lead to the person's own sessions. */
  env: NodeJS.ProcessEnv;
}

/** A daemon of our own beside the person's: for the demo, the doctor's canaries and the self-test. */
export class PrivateDaemon {
  readonly #child: ChildProcess;
  readonly #socket: string;

  private constructor({ command: [file, ...words], socket, env }: PrivateDaemonOptions) {
    this.#socket = socket;
    this.#child = spawn(file, words, { env, stdio: 'ignore' });
    this.#child.on('error', () => {});
  }

  /** Starts one and resolves when it answers, or with undefined when it does not come up. */
  static async start(options: PrivateDaemonOptions): Promise<PrivateDaemon | undefined> {
    const daemon = new PrivateDaemon(options);
    if (await daemon.#isReady()) return daemon;
    await daemon.stop();
    return undefined;
  }

  /** Asks it to stop, kills it when it does not. Resolves when it is gone. */
  stop(): Promise<void> {
    return stopProcess(this.#child);
  }

  async #isReady(): Promise<boolean> {
    for (const until = performance.now() + READY_MS; performance.now() < until && !hasEnded(this.#child); ) {
      const answered = await sendRequest(this.#socket, { op: 'ping' }).then(
        () => true,
        () => false,
      );
      if (answered) return true;
      await sleep(POLL_MS);
    }
    return false;
  }
}

/** Ends a process of ours: asks, and kills it when it does not listen. Resolves when it is gone. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(force);
}

/** True when a process has ended or was never started. */
function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined;
}
