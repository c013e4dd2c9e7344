/** Most bytes that are held back for one title sequence. */
export const HELD_TITLE_BYTES = 8_192;

export const ESC = 0x1b;
const OPEN_BRACKET = 0x5d;
const BACKSLASH = 0x5c;
const SEMICOLON = 0x3b;
const ZERO = 0x30;
const TWO = 0x32;
const BEL = 0x07;
const NEWLINE = 0x0a;

/** Length of `ESC ] 0 ;`. */
const HEADER_BYTES = 4;

/** A whole title sequence, as bytes: `ESC ] code ; text terminator`. */
export interface TitleSequence {
  header: Buffer;
  text: Buffer;
  terminator: Buffer;
}

/** What a byte made of a candidate. */
export type CandidateStep = 'more' | 'broken' | 'complete';

/**
 * One possible title sequence (`ESC ] 0 ;` or `ESC ] 2 ;`, text, then BEL or `ESC \`), byte by byte. A byte that does not
 * fit breaks it, together with the bytes before; so does a newline, since a title has none and lines must not wait.
 */
export class TitleCandidate {
  readonly #bytes: number[] = [];
  #escapeInText = false;

  get length(): number {
    return this.#bytes.length;
  }

  push(byte: number): CandidateStep {
    this.#bytes.push(byte);
    const step = this.#judge(byte);
    return step === 'more' && this.#bytes.length > HELD_TITLE_BYTES ? 'broken' : step;
  }

  /** The first `count` bytes. */
  first(count: number): Buffer {
    return Buffer.from(this.#bytes.slice(0, count));
  }

  /** Starts over and returns the bytes so far. */
  release(): Buffer {
    const bytes = Buffer.from(this.#bytes);
    this.reset();
    return bytes;
  }

  reset(): void {
    this.#bytes.length = 0;
    this.#escapeInText = false;
  }

  #judge(byte: number): CandidateStep {
    switch (this.#bytes.length) {
      case 1:
        return byte === ESC ? 'more' : 'broken';
      case 2:
        return byte === OPEN_BRACKET ? 'more' : 'broken';
      case 3:
        return byte === ZERO || byte === TWO ? 'more' : 'broken';
      case HEADER_BYTES:
        return byte === SEMICOLON ? 'more' : 'broken';
      default:
        return this.#judgeText(byte);
    }
  }

  #judgeText(byte: number): CandidateStep {
    if (this.#escapeInText) return byte === BACKSLASH ? 'complete' : 'broken';
    if (byte === BEL) return 'complete';
    this.#escapeInText = byte === ESC;
    return byte === NEWLINE ? 'broken' : 'more';
  }
}

/** Takes a complete sequence apart. */
export function splitSequence(bytes: Buffer): TitleSequence {
  const end = bytes.at(-1) === BEL ? bytes.length - 1 : bytes.length - 2;
  return {
    header: bytes.subarray(0, HEADER_BYTES),
    text: bytes.subarray(HEADER_BYTES, end),
    terminator: bytes.subarray(end),
  };
}
