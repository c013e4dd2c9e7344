import type { Clock } from '../../contract/clock.ts';
import { every } from './beat.ts';

/** How often awake time is counted. */
const TICK_MS = 1_000;
/** Most that one tick is credited: a longer gap was sleep, a suspended process or a stalled machine. */
const MOST_PER_TICK_MS = 2_000;

/**
 * Wall time, and awake time counted in ticks of a timer. The platform's monotonic clock alone will not do: on macOS it
 * counts sleep, and a process that was suspended (SIGSTOP, a frozen VM) has seen nothing of what went on either.
 */
export class AwakeClock implements Clock {
  readonly #monotonic: () => number;
  #counted = 0;
  #lastTick: number;
  #stopTicking: (() => void) | undefined;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
    this.#lastTick = monotonic();
  }

  /** Starts counting; does not keep the process alive. */
  start(): void {
    this.#stopTicking ??= every(TICK_MS, () => this.tick());
  }

  stop(): void {
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  /** Counts the time since the last tick. */
  tick(): void {
    this.#counted = this.awake();
    this.#lastTick = this.#monotonic();
  }

  wall(): number {
    return Date.now();
  }

  awake(): number {
    const since = this.#monotonic() - this.#lastTick;
    return this.#counted + Math.min(Math.max(since, 0), MOST_PER_TICK_MS);
  }
}
