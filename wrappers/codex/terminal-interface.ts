import { spawn } from 'node:child_process';
import { type ChildEnd, exitCodeOf } from '../shared/exit-status.ts';

/** Signals that are meant for the interface when they reach us. */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** How long the interface may take to leave after a signal before it is killed. */
const GRACE_MS = 5_000;

/** What became of the interface. */
export interface InterfaceEnd extends ChildEnd {
  exitCode: number;
  /** How long it ran, in milliseconds. */
  ranMs: number;
  /** True when it could not be started at all. */
  failed: boolean;
}

/**
 * Codex's terminal interface on the user's terminal. Signals for us are forwarded to it; one that comes before it was
 * started is kept for the caller, who then does not start it.
 */
export class TerminalInterface {
  /** Resolves with the first signal that came before {@link start}. */
  readonly stopped: Promise<NodeJS.Signals>;
  #stop: (signal: NodeJS.Signals) => void = () => {};
  #forward: (signal: NodeJS.Signals) => void;

  constructor() {
    this.stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    this.#forward = (signal) => this.#stop(signal);
    for (const signal of FORWARDED) process.on(signal, () => this.#forward(signal));
  }

  /** Starts the interface and resolves when it has ended. It gets the terminal, we only wait. */
  start(command: string, args: readonly string[]): Promise<InterfaceEnd> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const child = spawn(command, args, { stdio: 'inherit' });
      let killer: NodeJS.Timeout | undefined;
      this.#forward = (signal) => {
        child.kill(signal);
        killer ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      };
      const ended = (end: ChildEnd, failed: boolean) => {
        clearTimeout(killer);
        // What comes now would end us before the server has stopped.
        this.#forward = () => {};
        resolve({ ...end, exitCode: exitCodeOf(end), ranMs: performance.now() - startedAt, failed });
      };
      child.once('error', () => child.pid === undefined && ended({ code: 127, signal: null }, true));
      child.once('exit', (code, signal) => ended({ code, signal }, false));
    });
  }

  /** Has somebody else start the interface and forward the signals, and resolves when it has ended. */
  async entrust(run: () => Promise<ChildEnd>): Promise<InterfaceEnd> {
    const startedAt = performance.now();
    // What comes after it has ended would end us before the server has stopped.
    this.#forward = () => {};
    const end = await run();
    return { ...end, exitCode: exitCodeOf(end), ranMs: performance.now() - startedAt, failed: false };
  }
}
