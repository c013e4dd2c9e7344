/** Doubling delay between two tries. */
export class BackOff {
  readonly #firstMs: number;
  readonly #mostMs: number;
  #currentMs: number;

  constructor(firstMs = 500, mostMs = 10_000) {
    this.#firstMs = firstMs;
    this.#mostMs = mostMs;
    this.#currentMs = firstMs;
  }

  /** The next delay in milliseconds. With `random` in [0, 1) it lies in [delay, 1.5 delay), so that clients spread. */
  next(random = 0): number {
    const delay = this.#currentMs;
    this.#currentMs = Math.min(this.#currentMs * 2, this.#mostMs);
    return delay * (1 + random / 2);
  }

  /** Starts over after a success. */
  reset(): void {
    this.#currentMs = this.#firstMs;
  }
}
