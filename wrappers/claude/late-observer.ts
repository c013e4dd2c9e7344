import type { Observation } from './observe.ts';
import type { Direction } from './stream-line.ts';

/**
 * Holds the place of the observer until it is loaded. That begins when the first bytes have passed: before them there
 * is nothing to see, and loading would stand between the child's start and its first byte. Should loading fail, the
 * bytes just pass.
 */
export class LateObserver {
  readonly #load: () => Promise<Observation>;
  #waiting: { direction: Direction; chunk: Buffer }[] = [];
  #loading: Promise<void> | undefined;
  #observation: Observation | undefined;
  #failed = false;

  constructor(load: () => Promise<Observation>) {
    this.#load = load;
  }

  /** What looks at one direction's bytes. */
  look(direction: Direction): (chunk: Buffer) => void {
    return (chunk) => {
      if (this.#observation !== undefined) this.#observation.readers[direction](chunk);
      else if (!this.#failed) this.#hold(direction, chunk);
    };
  }

  /** Loads the observer now, whatever has passed. */
  start(): Promise<void> {
    this.#loading ??= this.#start();
    return this.#loading;
  }

  announceEnd(): void {
    this.#observation?.observer.announceEnd();
  }

  /** Reports the end, when there is a session to end. Bounded. */
  async finish(exitCode: number): Promise<void> {
    if (this.#waiting.length > 0) await this.start();
    await this.#loading;
    await this.#observation?.finish(exitCode);
  }

  #hold(direction: Direction, chunk: Buffer): void {
    // One turn of the event loop holds these; the next one has the observer.
    if (this.#waiting.length === 0) setImmediate(() => void this.start());
    this.#waiting.push({ direction, chunk });
  }

  async #start(): Promise<void> {
    try {
      const observation = await this.#load();
      for (const { direction, chunk } of this.#waiting) observation.readers[direction](chunk);
      this.#observation = observation;
    } catch {
      this.#failed = true;
    }
    this.#waiting = [];
  }
}
