import type { RegistryApi } from '../registry/api.ts';
import { every } from './beat.ts';

/** A new report can bring the next moment nearer, so after one it is looked for at least this often. */
const LOOK_MS = 1_000;
const LEAST_MS = 20;

/**
 * Lets the registry apply what time alone changes, when it is due, so that it is pushed to subscribers. Does nothing
 * while nobody speaks and nothing is due.
 */
export class SettleTimer {
  readonly #registry: Pick<RegistryApi, 'settle' | 'onDecision'>;
  #spokenTo = false;
  #dueAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #stops: (() => void)[] = [];

  constructor(registry: Pick<RegistryApi, 'settle' | 'onDecision'>) {
    this.#registry = registry;
  }

  start(): void {
    this.#stops = [
      this.#registry.onDecision(() => {
        this.#spokenTo = true;
      }),
      every(LOOK_MS, () => this.#look()),
    ];
    this.#settle();
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #look(): void {
    if (this.#spokenTo || performance.now() >= this.#dueAt) this.#settle();
    else this.#waitForDue();
  }

  #settle(): void {
    this.#spokenTo = false;
    const next = this.#registry.settle();
    this.#dueAt = next === undefined ? Number.POSITIVE_INFINITY : performance.now() + next;
    this.#waitForDue();
  }

  /** What is due before the next look gets a timer of its own. */
  #waitForDue(): void {
    clearTimeout(this.#timer);
    const wait = this.#dueAt - performance.now();
    if (wait > LOOK_MS) return;
    this.#timer = setTimeout(() => this.#settle(), Math.max(wait, LEAST_MS)).unref();
  }
}
