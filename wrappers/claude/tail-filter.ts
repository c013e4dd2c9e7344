const NEWLINE = 0x0a;

export interface TailFilterOptions {
  /** Takes the bytes that are let through. */
  next(bytes: Buffer): void;
  /** False when the line whose beginning stands in `chunk` from `start` on to its end can be passed over. */
  wants(chunk: Buffer, start: number, end: number): boolean;
  /** Called for a line that was passed over and is at least `limit` bytes long. */
  oversize(): void;
  limit: number;
}

/**
 * Takes the lines that a read cuts off out of a fast stream when their beginning shows already that nobody needs them.
 * Without it each read of a stream of messages would leave a piece to be kept, joined, decoded and parsed.
 */
export class TailFilter {
  readonly #options: TailFilterOptions;
  /** Bytes of the line that is being passed over; -1 while none is. */
  #passedOver = -1;
  /** The last read ended inside a line that was let through. */
  #insideLine = false;

  constructor(options: TailFilterOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    const start = this.#passedOver === -1 ? 0 : this.#passOver(chunk);
    if (start >= chunk.length) return;
    const tail = chunk.lastIndexOf(NEWLINE) + 1;
    const beginsHere = tail > start || !this.#insideLine;
    if (tail < chunk.length && beginsHere && !this.#options.wants(chunk, tail, chunk.length)) {
      this.#passedOver = chunk.length - tail;
      this.#insideLine = false;
      if (tail > start) this.#options.next(chunk.subarray(start, tail));
      return;
    }
    this.#insideLine = tail < chunk.length;
    this.#options.next(start === 0 ? chunk : chunk.subarray(start));
  }

  /** Passes over the rest of a line. Returns where the next one begins. */
  #passOver(chunk: Buffer): number {
    const newline = chunk.indexOf(NEWLINE);
    this.#passedOver += newline === -1 ? chunk.length : newline;
    if (newline === -1) return chunk.length;
    if (this.#passedOver >= this.#options.limit) this.#options.oversize();
    this.#passedOver = -1;
    return newline + 1;
  }
}
