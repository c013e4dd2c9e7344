import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ControlSocket, resolveControlSocket } from '../../agents/codex/control-socket.ts';
import { upgradesConnections } from '../../agents/codex/upgrade-probe.ts';

/** Longest time a server may take to accept a connection. Then codex runs without it. */
export const READY_MS = 10_000;
const LOOK_MS = 4;
/** Pause before the next, harder way of stopping: a server waits for a running turn without limit. */
const STOP_STEP_MS = 1_000;

/**
 * An app-server of our own. It runs in the user's directory and environment, since tools and hooks run in it, and in a
 * session of its own, like the shared server, so that a signal from the terminal does not reach it.
 */
export class PrivateServer {
  readonly #socketPath: string;
  readonly #uid: number;
  readonly #child: ChildProcess;
  #gone = false;
  /** Resolves when the process has ended, or could not be started. */
  readonly exited: Promise<void>;

  constructor(command: string, socketPath: string, uid: number) {
    this.#socketPath = socketPath;
    this.#uid = uid;
    this.#child = spawn(command, ['app-server', '--listen', `unix://${socketPath}`], {
      // Nobody would read its log, and a full pipe would stop it.
      stdio: 'ignore',
      detached: true,
    });
    this.exited = new Promise((resolve) => {
      const over = () => {
        this.#gone = true;
        resolve();
      };
      this.#child.once('exit', over);
      this.#child.once('error', over);
    });
  }

  get hasExited(): boolean {
    return this.#gone;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Where to connect by now. */
  get socket(): ControlSocket {
    return resolveControlSocket(this.#socketPath, this.#uid);
  }

  /**
   * Resolves with true as soon as the server upgrades a connection, or with false when it ends or takes too long.
   * A socket that is there is not enough: the interface dies at once of a server that does not accept.
   */
  async ready(withinMs = READY_MS): Promise<boolean> {
    for (const until = performance.now() + withinMs; performance.now() < until && !this.#gone; ) {
      const { socket } = this;
      const left = Math.max(until - performance.now(), 1);
      if (socket.kind === 'socket' && (await upgradesConnections(socket.path, left))) return true;
      await sleep(LOOK_MS);
    }
    return false;
  }

  /** Stops the server: asks, asks again without waiting for the running turn, then kills it with what it started. */
  async stop(): Promise<void> {
    for (const step of [this.#terminate, this.#terminate, this.#kill]) {
      if (this.#gone) return;
      step.call(this);
      await Promise.race([this.exited, sleep(STOP_STEP_MS, undefined, { ref: false })]);
    }
  }

  /** To the process alone: a launcher in front of the server passes it on, and twice would mean something else. */
  #terminate(): void {
    this.#child.kill('SIGTERM');
  }

  #kill(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It went by itself.
    }
  }
}
