import type { SessionReading } from '../../agents/codex/thread-tracker.ts';

/**
 * The model of the session that the interface shows. A server may have several; the one on the screen is the one that
 * came last, or that was given work last.
 */
export class ShownModel {
  readonly #states = new Map<string, SessionReading['state']>();
  #shown: string | undefined;
  #model: string | undefined;
  #listener: (model: string) => void = () => {};

  /** From now on `listener` is told the model, the present one at once, and whenever it is another. */
  tell(listener: (model: string) => void): void {
    this.#listener = listener;
    if (this.#model !== undefined) listener(this.#model);
  }

  /** Takes what the server says of one of its sessions. */
  take({ sessionId, state, model }: SessionReading): void {
    const before = this.#states.get(sessionId);
    this.#states.set(sessionId, state);
    if (before === undefined || (before === 'idle' && state !== 'idle')) this.#shown = sessionId;
    if (sessionId !== this.#shown || model === undefined || model === this.#model) return;
    this.#model = model;
    this.#listener(model);
  }
}
