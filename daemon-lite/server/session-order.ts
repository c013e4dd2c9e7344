/**
 * Keeps the sightings of one session in the order in which they came in, while some of them wait for something (the
 * name of a repository). Without that an `end` could overtake the sighting it follows and leave a row behind for ever.
 */
export class SessionOrder {
  readonly #waiting = new Map<string, Promise<void>>();

  /**
   * Runs `apply` with what `prepared` brings: at once when nothing of this session waits and `prepared` is no promise,
   * else after everything of this session before it.
   */
  run<T, R>(sessionId: string, prepared: T | Promise<T>, apply: (value: T) => R): R | Promise<R> {
    const before = this.#waiting.get(sessionId);
    if (before === undefined && !(prepared instanceof Promise)) return apply(prepared);
    const result = Promise.all([prepared, before]).then(([value]) => apply(value));
    const settled = result.then(
      () => {},
      () => {},
    );
    this.#waiting.set(sessionId, settled);
    void settled.then(() => {
      if (this.#waiting.get(sessionId) === settled) this.#waiting.delete(sessionId);
    });
    return result;
  }
}
