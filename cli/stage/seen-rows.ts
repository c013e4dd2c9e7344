import type { SessionEntry } from '../../contract/messages.ts';
import { Subscription } from '../../contract/subscription.ts';

/** One state of one session, as a subscriber saw it. */
export interface SeenState {
  state: SessionEntry['state'];
  feed: SessionEntry['feed'];
  entry: SessionEntry;
}

/** A subscriber that remembers which states each session went through. */
export class SeenRows {
  readonly #subscription: Subscription;
  readonly #states = new Map<string, SeenState[]>();
  readonly #looks = new Set<() => void>();

  constructor(socket: string) {
    this.#subscription = new Subscription(socket, {
      snapshot: ({ sessions }) => {
        for (const entry of sessions) this.#take(entry);
        for (const look of this.#looks) look();
      },
    });
  }

  /** The states of a session in order; a state that is merely told again is there once. */
  of(sessionId: string): readonly SeenState[] {
    return this.#states.get(sessionId) ?? [];
  }

  /** Ids of every session that was seen, in the order in which they appeared. */
  get ids(): string[] {
    return [...this.#states.keys()];
  }

  /** Resolves with true when the condition holds after a frame, with false when it did not within `ms`. */
  until(condition: () => boolean, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (holds: boolean) => {
        clearTimeout(timer);
        this.#looks.delete(look);
        resolve(holds);
      };
      const look = () => {
        if (condition()) settle(true);
      };
      const timer = setTimeout(() => settle(false), ms);
      this.#looks.add(look);
      look();
    });
  }

  close(): void {
    this.#subscription.close();
  }

  #take(entry: SessionEntry): void {
    const states = this.#states.get(entry.session_id) ?? [];
    const last = states.at(-1);
    if (last?.state !== entry.state || last.feed !== entry.feed) {
      states.push({ state: entry.state, feed: entry.feed, entry });
    }
    this.#states.set(entry.session_id, states);
  }
}
