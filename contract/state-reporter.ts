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

/** Most reports that wait. */
const WAITING_REPORTS_LIMIT = 64;

/** Most reports in a second: states that change faster than that are nothing that anybody could see. */
const REPORTS_PER_SECOND = 64;

/** After a failure a new state is not tried sooner than this. */
const FAILURE_REST_MS = 250;

type Report = { op: 'observe'; payload: ObservePayload } | { op: 'end'; payload: EndPayload };

/**
 * Delivers a session's states from an exact feed, in order, one at a time. While the daemon answers every state reaches
 * it. As soon as an attempt fails only the latest state is kept (the present matters, not the past) and retried, 0.5 s
 * doubling to 10 s, until the daemon has it: a daemon that was stalled or restarted is right again by itself. A flood of
 * states is thinned out the same way, so that reporting never takes the time of forwarding. Ends are kept. Nothing here
 * throws, blocks or keeps the process alive.
 */
export class StateReporter {
  readonly #options: StateReporterOptions;
  readonly #send: typeof sendRequest;
  readonly #backOff: BackOff;
  #waiting: Report[] = [];
  #sending = false;
  #failing = false;
  #closing = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  /** Until then nothing is sent, and of the states only the latest is kept. */
  #restUntil = 0;
  #secondEndsAt = 0;
  #sentThisSecond = 0;
  #idle: (() => void)[] = [];

  constructor(options: StateReporterOptions) {
    this.#options = options;
    this.#send = options.send ?? sendRequest;
    this.#backOff = options.backOff ?? new BackOff();
  }

  /** Reports a state: at once when nothing is under way, else as soon as it can. */
  observe(payload: ObservePayload): void {
    this.#add({ op: 'observe', payload });
  }

  /** Reports the end of a session id, after the states before it. */
  end(payload: EndPayload): void {
    this.#add({ op: 'end', payload });
  }

  /**
   * Resolves when everything was delivered, when nobody listens, or when `withinMs` have passed; afterwards the reporter
   * is dead.
   */
  async close(withinMs: number): Promise<void> {
    this.#closing = true;
    if (this.#sending || this.#waiting.length > 0) {
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

  #add(report: Report): void {
    if (this.#closed) return;
    this.#waiting.push(report);
    if (this.#failing || this.#restLeft > 0) this.#keepTheLatest();
    if (this.#waiting.length > WAITING_REPORTS_LIMIT) this.#dropTheOldest();
    this.#wake();
  }

  /** A state goes before an end does: the row of an id that is no more would stand on. */
  #dropTheOldest(): void {
    const at = this.#waiting.findIndex(({ op }) => op === 'observe');
    this.#waiting.splice(Math.max(0, at), 1);
  }

  /** Milliseconds until reports may be sent again. At the end of the process there is no time to rest. */
  get #restLeft(): number {
    return this.#closing ? 0 : this.#restUntil - performance.now();
  }

  /** Of the states only the last one stays, and that one only when no end of its session follows it. */
  #keepTheLatest(): void {
    const lastAt = this.#waiting.findLastIndex(({ op }) => op === 'observe');
    const sessionId = this.#waiting[lastAt]?.payload.session_id;
    const isOver = this.#waiting
      .slice(lastAt + 1)
      .some(({ op, payload }) => op === 'end' && payload.session_id === sessionId);
    this.#waiting = this.#waiting.filter(({ op }, at) => op === 'end' || (at === lastAt && !isOver));
  }

  #wake(): void {
    if (this.#sending) return;
    const rest = this.#restLeft;
    if (rest > 0) this.#wakeIn(rest);
    else {
      clearTimeout(this.#timer);
      void this.#drain();
    }
  }

  async #drain(): Promise<void> {
    this.#sending = true;
    try {
      while (!this.#closed) {
        const next = this.#waiting[0];
        if (next === undefined) break;
        if (this.#restLeft > 0) return this.#wakeIn(this.#restLeft);
        if (!(await this.#deliver(next))) return;
      }
    } finally {
      this.#sending = false;
    }
    this.#settle();
  }

  #countSending(): void {
    const now = performance.now();
    if (now >= this.#secondEndsAt) {
      this.#secondEndsAt = now + 1_000;
      this.#sentThisSecond = 0;
    }
    this.#sentThisSecond += 1;
    if (this.#sentThisSecond >= REPORTS_PER_SECOND) this.#restUntil = this.#secondEndsAt;
  }

  /** Sends one report. False when it has to be tried again later. */
  async #deliver(report: Report): Promise<boolean> {
    this.#countSending();
    const outcome = await this.#attempt(sessionsRequest(report.op, report.payload));
    this.#options.onOutcome?.(report.op, outcome);
    // A rejected report would be rejected again: it is dropped, and the reporter says so through onOutcome.
    if (outcome === 'delivered' || outcome === 'daemon_rejected') {
      this.#failing = false;
      this.#backOff.reset();
      this.#waiting = this.#waiting.filter((waiting) => waiting !== report);
      return true;
    }
    this.#failing = true;
    this.#restUntil = performance.now() + FAILURE_REST_MS;
    this.#keepTheLatest();
    // Nobody will be there in the second that is left either: an exit does not wait for it.
    if (this.#closing && outcome === 'transport_failed') this.#settle();
    else this.#wakeIn(this.#backOff.next());
    return false;
  }

  async #attempt(request: Request): Promise<ReportOutcome> {
    try {
      const timeoutMs = this.#options.timeoutMs;
      const options = timeoutMs === undefined ? {} : { timeoutMs };
      const reply = await this.#send(this.#options.socket, request, options);
      return reply.ok ? 'delivered' : 'daemon_rejected';
    } catch (error) {
      const timedOut = error instanceof TransportError && error.code === 'DAEMON_TIMEOUT';
      return timedOut ? 'timeout' : 'transport_failed';
    }
  }

  #settle(): void {
    for (const done of this.#idle.splice(0)) done();
  }

  #wakeIn(ms: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wake(), ms);
    this.#timer.unref();
  }
}
