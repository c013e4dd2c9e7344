import type { ReadStream } from 'node:tty';
import { AnswerReader } from './answer-reader.ts';

/** Above this no more is read from the terminal until the program has taken it. */
const WAITING_BYTES = 65_536;
/** How long the beginning of an answer may wait for its rest: a typed key must not feel late. */
const HOLD_MS = 50;
/** A terminal that answers does so at once, even over a slow line. */
const ANSWER_MS = 5_000;

export interface InputSideOptions {
  from: ReadStream;
  to: ReadStream;
  /** The terminal answered the program status query. */
  onAnswer(): void;
  /** The terminal is gone. */
  onHangUp(): void;
}

/** What the user types, on its way to the program: in order, never dropped, and no faster than the program takes it. */
export class InputSide {
  readonly #options: InputSideOptions;
  readonly #answers: AnswerReader;
  #holdTimer: NodeJS.Timeout | undefined;
  #answerTimer: NodeJS.Timeout | undefined;

  constructor(options: InputSideOptions) {
    this.#options = options;
    this.#answers = new AnswerReader(options.onAnswer);
    const { from, to, onHangUp } = options;
    from.on('data', (chunk: Buffer) => this.#forward(chunk));
    from.on('end', onHangUp);
    from.on('error', onHangUp);
    to.on('drain', () => from.resume());
  }

  /** The terminal was asked for program status: its answer is not for the program, which has one. */
  expectAnswer(): void {
    this.#answers.expect();
    clearTimeout(this.#answerTimer);
    this.#answerTimer = setTimeout(() => this.write(this.#answers.giveUp()), ANSWER_MS);
    this.#answerTimer.unref();
  }

  /** Sends bytes to the program. */
  write(bytes: Buffer | string): void {
    const { to } = this.#options;
    if (bytes.length > 0 && to.writable) to.write(bytes);
  }

  stop(): void {
    clearTimeout(this.#holdTimer);
    clearTimeout(this.#answerTimer);
    this.#options.from.pause();
  }

  #forward(chunk: Buffer): void {
    const { from, to } = this.#options;
    clearTimeout(this.#holdTimer);
    this.write(this.#answers.push(chunk));
    if (this.#answers.holds) this.#holdTimer = setTimeout(() => this.write(this.#answers.release()), HOLD_MS);
    if (to.writableLength > WAITING_BYTES) from.pause();
  }
}
