import { BackOff } from './back-off.ts';
import { sendRequest, TransportError } from './client.ts';
import { type EndPayload, type ObservePayload, type Request, sessionsRequest } from './messages.ts';

/** What became of one report. */
export type ReportOutcome = 'delivered' | 'timeout' | 'transport_failed' | 'daemon_rejected';

export interface StateReporterOptions {
  socket: string;
  /** Told of every attempt: op and outcome, never content. */
  onOutcome?(op: 'observe' | 'end', outcome: ReportOutcome): void;
  /** Sends one request; replaced in tests. */
  send?: typeof sendRequest;
  backOff?: BackOff;
  timeoutMs?: number;
}

/**
 * Delivers a session's state from an exact feed. It keeps one slot with the latest state and retries it (0.5 s doubling
 * to 10 s) until the daemon has it, so that a daemon that was stalled or restarted is right again by itself. States
 * that a newer one replaced before they could be sent are dropped: only the present matters. Reports leave in order,
 * one at a time; nothing here throws, blocks or keeps the process alive.
 */
export class StateReporter {
  readonly #options: StateReporterOptions;
  readonly #send: typeof sendRequest;
  readonly #backOff: BackOff;
  #slot: ObservePayload | undefined;
  #ends: EndPayload[] = [];
  #sending = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(options: StateReporterOptions) {
    this.#options = options;
    this.#send = options.send ?? sendRequest;
    this.#backOff = options.backOff ?? new BackOff();
  }

  /** Reports a state: at once when nothing is under way, else as soon as it can. */
  observe(payload: ObservePayload): void {
    if (this.#closed) return;
    this.#slot = payload;
    this.#wake();
  }

  /** Reports the end of a session id; a state of the same id that still waits is dropped. */
  end(payload: EndPayload): void {
    if (this.#closed) return;
    if (this.#slot?.session_id === payload.session_id) this.#slot = undefined;
    this.#ends.push(payload);
    this.#wake();
  }

  /** Resolves when everything was delivered or `withinMs` have passed; afterwards the reporter is dead. */
  async close(withinMs: number): Promise<void> {
    if (this.#hasWork()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#idle.push(() => {
          clearTimeout(timer);
          resolve();
        });
        this.#wake();
      });
    }
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #hasWork(): boolean {
    return this.#sending || this.#ends.length > 0 || this.#slot !== undefined;
  }

  #wake(): void {
    if (this.#sending) return;
    clearTimeout(this.#timer);
    void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#sending = true;
    try {
      while (!this.#closed && (this.#ends.length > 0 || this.#slot !== undefined)) {
        if (!(await this.#sendNext())) {
          this.#retryLater();
          return;
        }
      }
    } finally {
      this.#sending = false;
    }
    for (const done of this.#idle.splice(0)) done();
  }

  /** Sends the oldest end, else the slot. False when it has to be tried again. */
  async #sendNext(): Promise<boolean> {
    const end = this.#ends[0];
    const observe = end === undefined ? this.#slot : undefined;
    const op = end === undefined ? 'observe' : 'end';
    const outcome = await this.#attempt(sessionsRequest(op, end ?? observe));
    this.#options.onOutcome?.(op, outcome);
    // A rejected report would be rejected again: it is dropped, and the reporter says so through onOutcome.
    const settled = outcome === 'delivered' || outcome === 'daemon_rejected';
    if (settled) {
      this.#backOff.reset();
      if (end !== undefined) this.#ends = this.#ends.filter((waiting) => waiting !== end);
      else if (this.#slot === observe) this.#slot = undefined;
    }
    return settled || (observe !== undefined && this.#slot !== observe && this.#ends.length > 0);
  }

  async #attempt(request: Request): Promise<ReportOutcome> {
    try {
      const timeoutMs = this.#options.timeoutMs;
      const reply = await this.#send(
        this.#options.socket,
        request,
        timeoutMs === undefined ? {} : { timeoutMs },
      );
      return reply.ok ? 'delivered' : 'daemon_rejected';
    } catch (error) {
      const timedOut = error instanceof TransportError && error.code === 'DAEMON_TIMEOUT';
      return timedOut ? 'timeout' : 'transport_failed';
    }
  }

  #retryLater(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#wake(), this.#backOff.next());
    this.#timer.unref();
  }
}
