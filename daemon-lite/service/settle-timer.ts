import type { RegistryApi } from '../registry/api.ts';

/** A new report can bring the next moment nearer, so it is looked for at least this often. */
const MOST_MS = 1_000;
const LEAST_MS = 20;

/** Lets the registry apply what time alone changes, when it is due, so that it is pushed to subscribers. */
export class SettleTimer {
  readonly #registry: Pick<RegistryApi, 'settle'>;
  #timer: NodeJS.Timeout | undefined;

  constructor(registry: Pick<RegistryApi, 'settle'>) {
    this.#registry = registry;
  }

  start(): void {
    const next = this.#registry.settle() ?? MOST_MS;
    this.#timer = setTimeout(() => this.start(), Math.min(Math.max(next, LEAST_MS), MOST_MS)).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
