import type { SessionState } from '../../contract/events.ts';
import type { SessionEntry } from '../../contract/messages.ts';
import { Subscription } from '../../contract/subscription.ts';

/** A state that a row was seen to take, with the whole row as it was then. */
export interface Sighting {
  /** Wall-clock milliseconds when the frame was read. */
  t: number;
  state: SessionState | 'gone';
  entry: SessionEntry | undefined;
}

/** A `subscribe` client that keeps the state changes of every row. */
export class StateRecorder {
  readonly #subscription: Subscription;
  readonly #rows = new Map<string, Sighting[]>();
  /** The newest state of every row of the last frame. */
  #present = new Map<string, SessionState>();
  readonly #problems: string[] = [];
  #wake: (() => void)[] = [];
  #connected = false;

  constructor(socket: string) {
    this.#subscription = new Subscription(socket, {
      snapshot: ({ sessions }) => this.#snapshot(sessions),
      connected: (up) => {
        this.#connected = up;
        this.#notify();
      },
      unsupported: (reason) => this.#problems.push(`unsupported: ${reason}`),
      badFrame: (reason) => this.#problems.push(`bad frame: ${reason}`),
    });
  }

  /** Sightings by session id, in the order in which the ids were first seen. */
  get rows(): ReadonlyMap<string, readonly Sighting[]> {
    return this.#rows;
  }

  /** What the daemon sent that a client cannot use. Empty when all is well. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Drops what was seen so far: a row counts as new when its state changes next. */
  forget(): void {
    this.#rows.clear();
  }

  /** Resolves once the first frame was read. */
  ready(withinMs = 10_000): Promise<boolean> {
    return this.until(() => this.#connected, withinMs);
  }

  /** Resolves with true as soon as `condition` holds, tried at every frame; false when it did not in time. */
  until(condition: () => boolean, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(condition()), withinMs);
      const attempt = () => {
        if (!condition()) {
          this.#wake.push(attempt);
          return;
        }
        clearTimeout(timer);
        resolve(true);
      };
      attempt();
    });
  }

  close(): void {
    this.#subscription.close();
  }

  #snapshot(sessions: SessionEntry[]): void {
    const t = Date.now();
    const present = new Map(sessions.map(({ session_id, state }) => [session_id, state]));
    for (const entry of sessions) {
      if (this.#present.get(entry.session_id) !== entry.state) {
        this.#see(entry.session_id, { t, state: entry.state, entry });
      }
    }
    for (const id of this.#present.keys()) {
      if (!present.has(id)) this.#see(id, { t, state: 'gone', entry: undefined });
    }
    this.#present = present;
    this.#notify();
  }

  #see(id: string, sighting: Sighting): void {
    this.#rows.set(id, [...(this.#rows.get(id) ?? []), sighting]);
  }

  #notify(): void {
    for (const attempt of this.#wake.splice(0)) attempt();
  }
}
