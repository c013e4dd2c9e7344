import { sendRequest, TransportError } from '../../../contract/client.ts';
import { sessionsRequest, type WindowPayload } from '../../../contract/messages.ts';
import type { Diagnostics } from '../diagnostics.ts';

/** A burst of tab or terminal events makes one report. */
const SETTLE_MS = 100;

export interface WindowReporterOptions {
  socket: string;
  /** One per activation. */
  key: string;
  heartbeatMs: number;
  /** Longest time {@link WindowReporter.close} may take. */
  closeMs: number;
  diagnostics: Diagnostics;
  /** What the window shows right now. */
  count(): Omit<WindowPayload, 'key'>;
}

/**
 * Tells the daemon how many Claude tabs and terminals this window embeds, and over which folders: on each heartbeat,
 * and as soon as the counts change. Reports leave one at a time, so the last word is always the newest.
 */
export class WindowReporter {
  readonly #options: WindowReporterOptions;
  readonly #heartbeat: NodeJS.Timeout;
  #settle: NodeJS.Timeout | undefined;
  #delivered: string | undefined;
  #tail: Promise<void> = Promise.resolve();
  #queued = false;
  #closed = false;

  constructor(options: WindowReporterOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.report(), options.heartbeatMs);
    this.report();
  }

  /** Something that is counted may have changed: reports if it has. */
  changed(): void {
    if (this.#closed) return;
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => {
      if (this.#delivered !== JSON.stringify(this.#options.count())) this.report();
    }, SETTLE_MS);
  }

  /** Reports now, or right after the report that is under way. */
  report(): void {
    if (this.#closed || this.#queued) return;
    this.#queued = true;
    this.#tail = this.#tail.then(() => {
      this.#queued = false;
      return this.#closed ? undefined : this.#send();
    });
  }

  /** The window closes: takes its report back. Resolves within `closeMs`, whatever the daemon does. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#settle);
    const { closeMs } = this.#options;
    await Promise.race([
      this.#tail.then(() => this.#unregister(closeMs)),
      new Promise((done) => setTimeout(done, closeMs)),
    ]);
  }

  async #send(): Promise<void> {
    const { key, count, diagnostics } = this.#options;
    const counts = count();
    const outcome = await this.#attempt('window', { key, ...counts });
    if (outcome === undefined) {
      this.#delivered = JSON.stringify(counts);
      diagnostics.good('window_report');
    } else {
      this.#delivered = undefined;
      diagnostics.bad('window_report', `window_report_failed: key=${key} ${outcome}`);
    }
  }

  async #unregister(timeoutMs: number): Promise<void> {
    const { key, diagnostics } = this.#options;
    const outcome = await this.#attempt('window-unregister', { key }, timeoutMs);
    if (outcome !== undefined)
      diagnostics.bad('window_unregister', `window_unregister_failed: key=${key} ${outcome}`);
  }

  /** Undefined when the daemon took it, else why not. */
  async #attempt(op: string, payload: unknown, timeoutMs?: number): Promise<string | undefined> {
    try {
      const options = timeoutMs === undefined ? {} : { timeoutMs };
      const reply = await sendRequest(this.#options.socket, sessionsRequest(op, payload), options);
      return reply.ok ? undefined : `rejected: ${reply.error}`;
    } catch (error) {
      return error instanceof TransportError ? `unreachable: ${error.code}` : 'unreachable';
    }
  }
}
