import { type SignalTarget, TERM_GRACE_MS } from '../shared/signals.ts';

/** Signals that are meant for the program. What is typed reaches it as bytes, so none of these comes by itself. */
const RELAYED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
const ENDING: ReadonlySet<string> = new Set(['SIGTERM', 'SIGHUP']);

/** Passes signals on to the program. One that was told to go has a grace before it is killed. */
export class Signals {
  readonly #handlers: (readonly [NodeJS.Signals, () => void])[];
  #target: SignalTarget | undefined;
  #early: NodeJS.Signals[] = [];
  #killer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor() {
    this.#handlers = RELAYED.map((signal) => [signal, () => this.#relay(signal)] as const);
    for (const [signal, handler] of this.#handlers) process.on(signal, handler);
  }

  /** Names the program; what came before is delivered now. */
  attach(target: SignalTarget): void {
    this.#target = target;
    for (const signal of this.#early.splice(0)) this.#relay(signal);
  }

  /** The user's terminal is gone. */
  hangUp(): void {
    this.#relay('SIGHUP');
  }

  /** The program has ended: resolves with the next signal for this process. */
  late(): Promise<NodeJS.Signals> {
    clearTimeout(this.#killer);
    return new Promise((resolve) => {
      this.#target = { kill: resolve };
      this.#isOver = true;
    });
  }

  /** From now on signals have their usual effect on this process. */
  release(): void {
    clearTimeout(this.#killer);
    for (const [signal, handler] of this.#handlers) process.off(signal, handler);
  }

  #relay(signal: NodeJS.Signals): void {
    if (this.#target === undefined) {
      this.#early.push(signal);
      return;
    }
    this.#target.kill(signal);
    if (ENDING.has(signal) && !this.#isOver)
      this.#killer ??= setTimeout(() => this.#target?.kill('SIGKILL'), TERM_GRACE_MS);
  }
}
