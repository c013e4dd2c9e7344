/** A set of callbacks. A callback that throws is dropped, so that one client never hurts the registry or another one. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Adds a callback; the result takes it out again. */
  add(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch {
        this.#listeners.delete(listener);
      }
    }
  }
}
