import type { ObservePayload } from '../../contract/messages.ts';

/** Most sessions whose words are kept; those that spoke last count. */
const SESSIONS_LIMIT = 64;

/** Words that reporters outside of the daemon read and did not understand: each says all of its own with every report. */
export class ReportedWords {
  readonly #bySession = new Map<string, Readonly<Record<string, number>>>();

  take({ session_id, unknown_words }: ObservePayload): void {
    if (unknown_words === undefined) return;
    this.#bySession.delete(session_id);
    this.#bySession.set(session_id, unknown_words);
    const [oldest] = this.#bySession.keys();
    if (oldest !== undefined && this.#bySession.size > SESSIONS_LIMIT) this.#bySession.delete(oldest);
  }

  /** For the status: how often each word came. */
  detail(): { unknown_words: Record<string, number> } {
    const sum = new Map<string, number>();
    for (const words of this.#bySession.values())
      for (const [word, count] of Object.entries(words)) sum.set(word, (sum.get(word) ?? 0) + count);
    return { unknown_words: Object.fromEntries(sum) };
  }
}
