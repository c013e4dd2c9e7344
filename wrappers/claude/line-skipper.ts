const NEWLINE = 0x0a;

export interface LineSkipperOptions {
  /** Takes the bytes that are let through: whole lines, save where a read cuts one. */
  next(bytes: Buffer): void;
  /** True when the line that begins at `start` can be passed over. The read may end before the line does. */
  skips(view: DataView, start: number): boolean;
  /** Called for a line that was passed over and is at least `limit` bytes long. */
  oversize(): void;
  limit: number;
}

/**
 * Takes lines out of a fast stream when their beginning shows already that nobody needs them, in however many reads they
 * come. Nearly all bytes of a busy stream end here, so this is one loop around the search for the next newline.
 */
export class LineSkipper {
  readonly #options: LineSkipperOptions;
  /** Bytes so far of a line that is being passed over; -1 while none is. */
  #skipped = -1;
  /** The last read ended inside a line that was let through. */
  #insideLine = false;

  constructor(options: LineSkipperOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    if (this.#skipped !== -1) this.#read(chunk, this.#skipRest(chunk), -1);
    else if (this.#insideLine) this.#read(chunk, afterNewline(chunk), 0);
    else this.#read(chunk, 0, -1);
  }

  /** @param at where a line begins. @param wanted where the bytes to let through begin, or -1. */
  #read(chunk: Buffer, at: number, wanted: number): void {
    const { next, skips, limit, oversize } = this.#options;
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = at;
    let from = wanted;
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start);
      if (!skips(view, start)) {
        if (from === -1) from = start;
      } else {
        if (from !== -1) next(chunk.subarray(from, start));
        from = -1;
        if (end === -1) this.#skipped = chunk.length - start;
        else if (end - start >= limit) oversize();
      }
      start = end === -1 ? chunk.length : end + 1;
    }
    this.#insideLine = from !== -1 && chunk[chunk.length - 1] !== NEWLINE;
    if (from !== -1) next(from === 0 ? chunk : chunk.subarray(from));
  }

  /** Passes over the rest of a line. Returns where the next one begins. */
  #skipRest(chunk: Buffer): number {
    const start = afterNewline(chunk);
    const isWhole = chunk[start - 1] === NEWLINE;
    this.#skipped += isWhole ? start - 1 : start;
    if (!isWhole) return start;
    if (this.#skipped >= this.#options.limit) this.#options.oversize();
    this.#skipped = -1;
    return start;
  }
}

/** Where the line after the first newline begins; the end of the chunk when there is none. */
function afterNewline(chunk: Buffer): number {
  const newline = chunk.indexOf(NEWLINE);
  return newline === -1 ? chunk.length : newline + 1;
}
