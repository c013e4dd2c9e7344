import type { ReadStream } from 'node:tty';
import type { SequenceFilter } from './sequence-filter.ts';

/** Above this the program has to wait until the terminal has taken everything. */
const WAITING_BYTES = 262_144;
/** A lone escape byte may be all there is; a title's rest comes unless the program was stopped inside it. */
const SHORT_HOLD_MS = 50;
const LONG_HOLD_MS = 2_000;
/** `ESC ] 0 ;` */
const COMMAND_START_BYTES = 4;

/** What the program writes, on its way to the terminal: filtered, in order, and no faster than the terminal takes it. */
export class OutputSide {
  readonly #from: ReadStream;
  readonly #to: ReadStream;
  readonly #filter: SequenceFilter;
  readonly #onBoundary: () => void;
  #holdTimer: NodeJS.Timeout | undefined;
  #gone = false;
  #lastDataAt = performance.now();

  /** @param onBoundary called after each read that ends where something can be put in */
  constructor(from: ReadStream, to: ReadStream, filter: SequenceFilter, onBoundary: () => void) {
    this.#from = from;
    this.#to = to;
    this.#filter = filter;
    this.#onBoundary = onBoundary;
    const leave = () => {
      // The terminal is gone; the program must not hang on it.
      this.#gone = true;
      from.resume();
    };
    to.on('error', leave);
    to.on('close', leave);
    to.on('drain', () => from.resume());
    from.on('data', (chunk: Buffer) => this.#forward(chunk));
  }

  get isAtBoundary(): boolean {
    return this.#filter.isAtBoundary && this.#filter.heldBytes === 0;
  }

  /** True while the terminal has not taken everything. */
  get isWaiting(): boolean {
    return !this.#gone && this.#to.writableLength > 0;
  }

  /** Milliseconds since the program wrote last, or 0 while it has to wait. */
  get quietMs(): number {
    return this.#from.isPaused() ? 0 : performance.now() - this.#lastDataAt;
  }

  /** Forwards bytes that did not come by the program's stream. */
  push(chunk: Buffer): void {
    this.#forward(chunk);
  }

  /** Puts bytes of ours in; only at a boundary. */
  write(bytes: Buffer): void {
    if (!this.#gone && bytes.length > 0) this.#to.write(bytes);
  }

  /** The output is over: what is still held goes out as it is. */
  finish(): void {
    clearTimeout(this.#holdTimer);
    this.write(this.#filter.release());
  }

  #forward(chunk: Buffer): void {
    this.#lastDataAt = performance.now();
    clearTimeout(this.#holdTimer);
    for (const bytes of this.#filter.push(chunk)) this.write(bytes);
    const held = this.#filter.heldBytes;
    if (held > 0) {
      const patience = held < COMMAND_START_BYTES ? SHORT_HOLD_MS : LONG_HOLD_MS;
      this.#holdTimer = setTimeout(() => this.write(this.#filter.release()), patience);
    }
    if (this.#to.writableLength > WAITING_BYTES && !this.#gone) this.#from.pause();
    if (this.isAtBoundary) this.#onBoundary();
  }
}
