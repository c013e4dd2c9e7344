/** Longest line of the wire in bytes, without its newline, in both directions. */
export const LINE_LIMIT_BYTES = 1_048_576;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** What a splitter finds: a whole line (no newline, no final `\r`), or the news that one was too long. */
export interface LineSink {
  line(bytes: Buffer): void;
  /** Called once per over-long line, as soon as the limit is passed. Its bytes are dropped up to the next newline. */
  oversize(): void;
  /**
   * Asked of a line that lies in one read (`chunk` from `start` up to `end`) before it is cut out; false passes it over.
   * For readers of a fast stream that need few of its lines. Absent, every line is wanted.
   */
  wants?(chunk: Buffer, start: number, end: number): boolean;
}

/**
 * Splits a byte stream into lines at `\n`, on bytes, so that a character cut by a read stays whole. Memory is bounded
 * by the limit: of a longer line nothing is kept. Reads are never copied unless a line spans several of them.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #sink: LineSink;
  readonly #stripCarriageReturn: boolean;
  #pieces: Buffer[] = [];
  #held = 0;
  #skipping = false;

  constructor(sink: LineSink, options: { limit?: number; stripCarriageReturn?: boolean } = {}) {
    this.#sink = sink;
    this.#limit = options.limit ?? LINE_LIMIT_BYTES;
    this.#stripCarriageReturn = options.stripCarriageReturn ?? true;
  }

  /** Takes one read. Lines that it completes are given to the sink before this returns. */
  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) {
        this.#hold(chunk.subarray(start));
        return;
      }
      if (this.#startsInside || this.#sink.wants?.(chunk, start, end) !== false) {
        this.#complete(chunk.subarray(start, end));
      }
      start = end + 1;
    }
  }

  /** End of input: gives the unterminated last line, if there is one, to the sink. */
  end(): void {
    if (this.#held > 0 && !this.#skipping) this.#complete(Buffer.alloc(0));
    this.reset();
  }

  /** Forgets a partial line. */
  reset(): void {
    this.#pieces = [];
    this.#held = 0;
    this.#skipping = false;
  }

  /** True when the next line began in an earlier read. */
  get #startsInside(): boolean {
    return this.#held > 0 || this.#skipping;
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0 || this.#skipping) return;
    const excess = this.#held + piece.length - this.#limit;
    // One byte more may be the carriage return before a newline that is still to come.
    const mayBeStripped = this.#stripCarriageReturn && excess === 1 && piece.at(-1) === CARRIAGE_RETURN;
    if (excess > 0 && !mayBeStripped) {
      this.#pieces = [];
      this.#held = 0;
      this.#skipping = true;
      this.#sink.oversize();
      return;
    }
    // A copy, because the reader may reuse its buffer and because a slice would pin the whole read.
    this.#pieces.push(Buffer.from(piece));
    this.#held += piece.length;
  }

  #complete(tail: Buffer): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    let line = tail;
    if (this.#held > 0) {
      this.#pieces.push(tail);
      line = Buffer.concat(this.#pieces, this.#held + tail.length);
      this.#pieces = [];
      this.#held = 0;
    }
    if (this.#stripCarriageReturn && line.at(-1) === CARRIAGE_RETURN) line = line.subarray(0, -1);
    if (line.length > this.#limit) this.#sink.oversize();
    else this.#sink.line(line);
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes bytes as UTF-8, or returns undefined where they are not. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}
