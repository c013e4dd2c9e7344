import { observePayload } from '../../agents/codex/observe-payload.ts';
import type { SessionReading } from '../../agents/codex/thread-tracker.ts';
import { StateReporter, type StateReporterOptions } from '../../contract/state-reporter.ts';

/** Delivers the sessions of one server to the daemon, each with a slot of its own. */
export class SessionReports {
  readonly #options: StateReporterOptions;
  readonly #reporters = new Map<string, StateReporter>();
  #unknownWords: Record<string, number> = {};
  readonly #live = new Map<string, SessionReading>();

  constructor(options: StateReporterOptions) {
    this.#options = options;
  }

  /** Sessions that were reported and have not ended. */
  get live(): SessionReading[] {
    return [...this.#live.values()];
  }

  /** Words that the interface told its terminal and that were not understood; they go with the next reports. */
  setUnknownWords(words: Record<string, number>): void {
    this.#unknownWords = words;
  }

  state(reading: SessionReading): void {
    this.#live.set(reading.sessionId, reading);
    const words = this.#unknownWords;
    this.#reporter(reading.sessionId).observe({
      ...observePayload(reading),
      ...(Object.keys(words).length === 0 ? {} : { unknown_words: words }),
    });
  }

  ended(sessionId: string, reason: string): void {
    if (!this.#live.delete(sessionId)) return;
    this.#reporter(sessionId).end({ session_id: sessionId, reason, feed: 'codex_server' });
  }

  /** Ends every session and resolves when the daemon knows it, or after `withinMs`. */
  async close(reason: string, withinMs: number): Promise<void> {
    for (const sessionId of [...this.#live.keys()]) this.ended(sessionId, reason);
    await Promise.all([...this.#reporters.values()].map((reporter) => reporter.close(withinMs)));
  }

  #reporter(sessionId: string): StateReporter {
    let reporter = this.#reporters.get(sessionId);
    if (reporter === undefined) {
      reporter = new StateReporter(this.#options);
      this.#reporters.set(sessionId, reporter);
    }
    return reporter;
  }
}
