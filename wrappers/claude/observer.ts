import { isUtf8 } from 'node:buffer';
import type { EndPayload, ObservePayload } from '../../contract/messages.ts';
import type { StateReporter } from '../../contract/state-reporter.ts';
import { isMessage, mayBeObject } from './line-filter.ts';
import type { MetadataLog } from './metadata-log.ts';
import type { Direction } from './stream-line.ts';
import { Tee } from './tee.ts';
import { StreamTracker } from './tracker.ts';
import type { StateReport, TrackerReport } from './tracker-report.ts';

/** How often a busy state is repeated. */
export const KEEP_ALIVE_MS = 30_000;

/** Longest time an exit waits for the daemon to take the end. */
export const END_MS = 1_500;

export interface ObserverOptions {
  reporter: Pick<StateReporter, 'observe' | 'end' | 'close'>;
  /** The pid to report, given the one that Claude named, if it did. */
  agentPid(named: number | undefined): number;
  oneShot?: boolean;
  pidNamespace?: string | undefined;
  log?: MetadataLog | undefined;
  /** Told when the model becomes known or changes. */
  onModel?: (model: string) => void;
}

/**
 * Looks at the bytes that the pumps have forwarded and reports what they say. Lines are read after the event that
 * brought them is done with, so that forwarding comes first.
 */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #tracker: StreamTracker;
  readonly #tee = new Tee();
  readonly #keepAlive: NodeJS.Timeout;
  #scheduled = false;
  /** What the tracker said after the last line; asked for each line that passes. */
  #ignoresMessages = false;
  #pid: { named: number | undefined; reported: number } | undefined;
  #model: string | undefined;
  #identity = '';
  #open: string | undefined;

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#tracker = new StreamTracker({ oneShot: options.oneShot ?? false });
    this.#tee.onWaiting = () => this.#schedule();
    this.#tee.onFull = () => this.#drain();
    this.#keepAlive = setInterval(() => this.keepAlive(), KEEP_ALIVE_MS);
    this.#keepAlive.unref();
  }

  /**
   * The reader of one direction's bytes. Most bytes of a stream are messages while a turn runs; they can change nothing
   * then and are passed over undecoded.
   */
  reader(direction: Direction): (chunk: Buffer) => void {
    const mayBeSkipped = direction === 'from_claude';
    return this.#tee.reader(direction, {
      skips: (view, start) => mayBeSkipped && this.#ignoresMessages && isMessage(view, start),
      wants: (chunk, start, end) => this.#mayBeProtocol(chunk, start, end),
    });
  }

  /** Repeats a busy state; runs every {@link KEEP_ALIVE_MS} by itself. */
  keepAlive(): void {
    const report = this.#tracker.keepAlive();
    if (report !== undefined) this.#report(report);
    this.#summarize();
  }

  /** Reports the end of the session as it stands. A later state shows that it goes on. */
  announceEnd(): void {
    if (this.#open !== undefined) this.#end(this.#open);
  }

  /** The stream is over: reads what waits, reports the end and waits for the daemon to take it, bounded. */
  async finish(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.#drain();
    this.#tee.close();
    this.announceEnd();
    await this.#options.reporter.close(END_MS);
    this.#summarize();
  }

  /** Text that is no JSON object is counted without being decoded. */
  #mayBeProtocol(chunk: Buffer, start: number, end: number): boolean {
    if (mayBeObject(chunk, start, end)) return true;
    const line = chunk.subarray(start, end);
    if (!isUtf8(line)) this.#tee.counters.tee_non_utf8 += 1;
    else if (!isBlank(line)) this.#tracker.counters.parse_failures += 1;
    return false;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#drain());
  }

  #drain(): void {
    this.#scheduled = false;
    for (const offer of this.#tee.take()) {
      const report =
        'line' in offer
          ? this.#tracker.line(offer.direction, offer.line)
          : this.#tracker.dropped(offer.direction);
      if (report !== undefined) this.#handle(report);
    }
    this.#ignoresMessages = this.#tracker.ignoresMessages;
  }

  #handle(report: TrackerReport): void {
    if ('ended' in report) this.#end(report.ended);
    else this.#report(report);
  }

  #report(report: StateReport): void {
    const { state, ...rest } = report;
    if (rest.model !== undefined && rest.model !== this.#model) {
      this.#model = rest.model;
      this.#options.onModel?.(rest.model);
    }
    const payload: ObservePayload = { ...rest, event: { stream_state: state }, ...this.#origin() };
    this.#open = report.session_id;
    this.#logReport(report);
    this.#options.reporter.observe(payload);
  }

  #end(sessionId: string): void {
    const payload: EndPayload = { session_id: sessionId, ...this.#origin() };
    this.#open = undefined;
    this.#options.reporter.end(payload);
  }

  #origin(): { pid: number; feed: 'claude_stream'; pid_ns?: string } {
    const namespace = this.#options.pidNamespace;
    return {
      pid: this.#reportedPid(),
      feed: 'claude_stream',
      ...(namespace === undefined ? {} : { pid_ns: namespace }),
    };
  }

  #reportedPid(): number {
    const named = this.#tracker.agentPid;
    if (this.#pid === undefined || this.#pid.named !== named)
      this.#pid = { named, reported: this.#options.agentPid(named) };
    return this.#pid.reported;
  }

  #logReport({ session_id, state, cwd, model }: StateReport): void {
    const { log } = this.#options;
    if (log === undefined) return;
    const pid = this.#reportedPid();
    const identity = JSON.stringify([session_id, cwd, model, pid]);
    if (identity !== this.#identity) log.write('session_identity', { session_id, cwd, model, pid });
    this.#identity = identity;
    log.write('state_report', { session_id, state, pid });
  }

  #summarize(): void {
    const { log } = this.#options;
    log?.write('diagnostic_summary', {
      session_id: this.#tracker.sessionId,
      tracker: this.#tracker.counters,
      ...this.#tee.counters,
      diagnostic_drops: log.drops,
    });
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= 0x20);
}
