import { isatty } from 'node:tty';

/** Signals that are passed on to the child. */
const RELAYED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** Signals that a terminal sends to the whole foreground group, the child included. */
const TERMINAL_SIGNALS: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT']);

/** How long a child may take to leave after SIGTERM before it is killed. */
export const TERM_GRACE_MS = 5_000;

export interface SignalTarget {
  kill(signal: NodeJS.Signals): unknown;
}

/**
 * Passes signals on to a child that is about to be started. The handlers are there before the child is, so that none is
 * missed; {@link attach} delivers what came in between. SIGTERM is followed by SIGKILL after a grace. An interrupt from
 * the terminal has reached the child already and is not sent twice.
 */
export class SignalRelay {
  readonly #onSignal: (signal: NodeJS.Signals) => void;
  readonly #handlers: [NodeJS.Signals, () => void][] = [];
  readonly #sharesTerminal = isatty(0) || isatty(1) || isatty(2);
  #target: SignalTarget | undefined;
  #early: NodeJS.Signals[] = [];
  #killTimer: NodeJS.Timeout | undefined;

  /** @param onSignal told of each signal after it was passed on */
  constructor(onSignal: (signal: NodeJS.Signals) => void = () => {}) {
    this.#onSignal = onSignal;
    for (const signal of RELAYED) {
      const handler = () => this.#relay(signal);
      this.#handlers.push([signal, handler]);
      process.on(signal, handler);
    }
  }

  /** Names the child; signals that came before are delivered now. */
  attach(target: SignalTarget): void {
    this.#target = target;
    for (const signal of this.#early.splice(0)) this.#relay(signal);
  }

  /** The child is gone: signals are only remembered, so that the last report can still leave. */
  detach(): void {
    clearTimeout(this.#killTimer);
    this.#target = undefined;
  }

  /**
   * From now on a signal has its usual effect on this process.
   *
   * @returns true when one came since {@link detach}
   */
  release(): boolean {
    for (const [signal, handler] of this.#handlers) process.off(signal, handler);
    return this.#early.length > 0;
  }

  #relay(signal: NodeJS.Signals): void {
    if (this.#target === undefined) {
      this.#early.push(signal);
      return;
    }
    if (!(this.#sharesTerminal && TERMINAL_SIGNALS.has(signal))) this.#target.kill(signal);
    if (signal === 'SIGTERM') {
      this.#killTimer ??= setTimeout(() => this.#target?.kill('SIGKILL'), TERM_GRACE_MS);
    }
    this.#onSignal(signal);
  }
}
