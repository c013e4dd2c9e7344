import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Time that is left of a whole self-test. */
export class Deadline {
  readonly #at: number;

  constructor(ms: number) {
    this.#at = performance.now() + ms;
  }

  /** Milliseconds left, at most `most`. */
  left(most = Number.POSITIVE_INFINITY): number {
    return Math.max(0, Math.min(most, this.#at - performance.now()));
  }
}

/** Resolves with true once the condition holds, with false when it did not within `ms`. */
export async function waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; ; await sleep(POLL_MS)) {
    if (condition()) return true;
    if (performance.now() >= until) return false;
  }
}
