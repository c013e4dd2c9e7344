import { sanitize } from '../../contract/sanitize.ts';

/** Where the lines go: VS Code's log output channel, or a test's list. */
export interface LogSink {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
}

/** A daemon's error text may quote what it was sent; a line of the log need not hold all of it. */
const LONGEST_LINE = 300;

/**
 * What the output channel `omni-dev` says: ids, window keys, words and outcomes, never a frame and never content. A
 * trouble is written when it begins and when it is over; its repetitions are debug lines.
 */
export class Diagnostics {
  readonly #sink: LogSink;
  readonly #troubles = new Map<string, string>();

  constructor(sink: LogSink) {
    this.#sink = sink;
  }

  note(line: string): void {
    this.#sink.info(clean(line));
  }

  /** Something of this kind failed. */
  bad(kind: string, line: string): void {
    const text = clean(line);
    if (this.#troubles.get(kind) === text) {
      this.#sink.debug(text);
      return;
    }
    this.#troubles.set(kind, text);
    this.#sink.warn(text);
  }

  /** Something of this kind worked; says so when it had failed before. */
  good(kind: string): void {
    if (this.#troubles.delete(kind)) this.#sink.info(`${kind}_recovered`);
  }
}

function clean(line: string): string {
  const text = sanitize(line);
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
