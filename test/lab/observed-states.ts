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
    const present = new Set(sessions.map(({ session_id }) => session_id));
    for (const entry of sessions) this.#see(entry.session_id, { t, state: entry.state, entry });
    for (const id of this.#rows.keys()) {
      if (!present.has(id)) this.#see(id, { t, state: 'gone', entry: undefined });
    }
    this.#notify();
  }

  #see(id: string, sighting: Sighting): void {
    const known = this.#rows.get(id);
    if (known === undefined) this.#rows.set(id, [sighting]);
    else if (known.at(-1)?.state !== sighting.state) known.push(sighting);
  }

  #notify(): void {
    for (const attempt of this.#wake.splice(0)) attempt();
  }
}
