import { decodeUtf8 } from '../../contract/line-splitter.ts';
import { sanitize } from '../../contract/sanitize.ts';
import { ESC, splitSequence, TitleCandidate, type TitleSequence } from './title-candidate.ts';
import { titlePrefix } from './title-prefix.ts';

const NEWLINE = 0x0a;

/**
 * Puts the model's family before the terminal titles that Claude writes, in flight and on bytes. Everything that is not
 * a whole title sequence passes untouched, and a read without an escape byte passes as it is, uncopied.
 *
 * When the model becomes known after a title, or changes, the last title is sent again. That waits for a moment at which
 * nothing but titles was forwarded since the last newline, so that it never lands inside a line.
 */
export class TitleRewriter {
  readonly #candidate = new TitleCandidate();
  #prefix: string | undefined;
  #lastTitle: TitleSequence | undefined;
  #correctionIsDue = false;
  #atLineStart = true;

  /** True while bytes of an unfinished sequence are held back. */
  get holds(): boolean {
    return this.#candidate.length > 0;
  }

  /** The observer learned the model. Returns what has to be written at once, if anything. */
  setModel(model: string): Buffer | undefined {
    const prefix = titlePrefix(model);
    if (prefix === this.#prefix) return undefined;
    this.#prefix = prefix;
    this.#correctionIsDue = this.#lastTitle !== undefined;
    return this.#atLineStart ? this.#correction() : undefined;
  }

  /** Takes one read from the child and returns what to write because of it, in order. */
  push(chunk: Buffer): Buffer[] {
    if (!this.holds && !this.#correctionIsDue && chunk.indexOf(ESC) === -1) {
      if (chunk.length > 0) this.#atLineStart = chunk.at(-1) === NEWLINE;
      return [chunk];
    }
    return this.#scan(chunk);
  }

  /** Gives up what is held back: the child closed its stdout, or nothing followed for a while. */
  release(): Buffer | undefined {
    if (!this.holds) return undefined;
    this.#atLineStart = false;
    return this.#candidate.release();
  }

  /** Cuts the read only where a title is changed or an unfinished one has to wait. */
  #scan(chunk: Buffer): Buffer[] {
    const out: Buffer[] = [];
    /** How many bytes of the candidate came with earlier reads. */
    let earlier = this.#candidate.length;
    /** Where the candidate begins in this read; 0 when it began in an earlier one. */
    let begin = 0;
    let passed = 0;
    let at = 0;
    while (at < chunk.length) {
      if (!this.holds) {
        begin = chunk.indexOf(ESC, at);
        if (begin === -1) break;
        at = begin;
      }
      const step = this.#candidate.push(chunk[at] ?? 0);
      at += 1;
      if (step === 'broken') {
        this.#pass(this.#candidate.first(earlier), out);
        this.#candidate.reset();
        earlier = 0;
      } else if (step === 'complete') {
        this.#pass(chunk.subarray(passed, begin), out);
        out.push(this.#title(this.#candidate.release()));
        passed = at;
        earlier = 0;
      }
    }
    this.#pass(chunk.subarray(passed, this.holds ? begin : chunk.length), out);
    return out;
  }

  /** Forwards bytes that are no title; a due correction goes in after their first newline. */
  #pass(bytes: Buffer, out: Buffer[]): void {
    if (bytes.length === 0) return;
    const newline = this.#correctionIsDue ? bytes.indexOf(NEWLINE) : -1;
    if (newline === -1) {
      out.push(bytes);
    } else {
      out.push(bytes.subarray(0, newline + 1));
      const correction = this.#correction();
      if (correction !== undefined) out.push(correction);
      if (newline + 1 < bytes.length) out.push(bytes.subarray(newline + 1));
    }
    this.#atLineStart = bytes.at(-1) === NEWLINE;
  }

  #title(bytes: Buffer): Buffer {
    const sequence = splitSequence(bytes);
    const isText = decodeUtf8(sequence.text) !== undefined;
    this.#lastTitle = isText ? sequence : undefined;
    this.#correctionIsDue = false;
    return isText && this.#prefix !== undefined ? decorate(sequence, this.#prefix) : bytes;
  }

  #correction(): Buffer | undefined {
    if (!this.#correctionIsDue || this.#lastTitle === undefined || this.#prefix === undefined)
      return undefined;
    this.#correctionIsDue = false;
    return decorate(this.#lastTitle, this.#prefix);
  }
}

/** The same sequence with a prefix. What we write ourselves holds no control characters. */
function decorate({ header, text, terminator }: TitleSequence, prefix: string): Buffer {
  return Buffer.concat([header, Buffer.from(prefix + sanitize(text.toString('utf8'))), terminator]);
}
