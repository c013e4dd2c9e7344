import type { SessionState } from '../../contract/events.ts';
import { decodeUtf8 } from '../../contract/line-splitter.ts';
import { sanitize } from '../../contract/sanitize.ts';
import type { OscSequence } from './sequence-filter.ts';

/** Claude's own marks: resting or waiting, and the two faces of its spinner. */
const RESTING = '✳';
const SPINNER = ['◐', '◑'] as const;
const OWN_MARK = /^[✳◐◑] /u;
/** Most characters of a title that we write ourselves. */
const LONGEST_TITLE = 512;

/**
 * The terminal's title as the user sees it: the program's own, the model's family before it, and the mark that the program
 * leaves out as soon as its program status is read. An empty title stays empty.
 */
export class TerminalTitle {
  readonly #prefixOf: ((model: string) => string) | undefined;
  #last: OscSequence | undefined;
  #shown: string | undefined;
  #prefix = '';
  #marks = false;
  #state: SessionState | undefined;
  #face = 0;

  /** @param prefixOf what names a model in the title; undefined when the user switched that off */
  constructor(prefixOf: ((model: string) => string) | undefined) {
    this.#prefixOf = prefixOf;
  }

  /** True while a spinner should turn. */
  get spins(): boolean {
    return this.#marks && this.#state === 'working' && this.#last !== undefined;
  }

  /** The program's title as it is to be written. */
  take(sequence: OscSequence): Buffer {
    this.#last = { ...sequence, text: Buffer.from(sequence.text) };
    const text = this.#text();
    this.#shown = text;
    return text === undefined ? sequence.whole : this.#bytes(text);
  }

  /** Whether the mark is ours to give: the program leaves it out. */
  setMarks(marks: boolean): void {
    this.#marks = marks;
  }

  setModel(model: string): void {
    this.#prefix = this.#prefixOf?.(model) ?? '';
  }

  setState(state: SessionState | undefined): void {
    this.#state = state;
  }

  turnSpinner(): void {
    this.#face = 1 - this.#face;
  }

  /** The title again when it should look different by now. */
  correction(): Buffer | undefined {
    const text = this.#text();
    if (text === undefined || text === this.#shown) return undefined;
    this.#shown = text;
    return this.#bytes(text);
  }

  /** The text to show, or undefined where the program's own bytes are right: no title, an empty one, no text at all. */
  #text(): string | undefined {
    if (this.#last === undefined || this.#last.text.length === 0) return undefined;
    const own = decodeUtf8(this.#last.text);
    if (own === undefined) return undefined;
    if (this.#prefix === '' && !this.#marks && this.#shown === undefined) return undefined;
    const mark = this.#marks && !OWN_MARK.test(own) ? `${this.#mark()} ` : '';
    return this.#prefix + mark + [...sanitize(own)].slice(0, LONGEST_TITLE).join('');
  }

  #mark(): string {
    return this.#state === 'working' ? (SPINNER[this.#face] ?? SPINNER[0]) : RESTING;
  }

  #bytes(text: string): Buffer {
    return Buffer.from(`\x1b]${this.#last?.code ?? '0'};${text}\x07`);
  }
}
