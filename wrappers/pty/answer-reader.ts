const ANSWER_START = Buffer.from('\x1b]7501;?');
const ENDINGS = [Buffer.from('\x07'), Buffer.from('\x1b\\')];
const ESC = 0x1b;

/**
 * Looks in what the user's terminal sends for its answer to the program status query (`ESC ] 7501 ; ?` and either
 * terminator), and takes that out. Looks only while an answer may come: typed keys are never held back otherwise.
 */
export class AnswerReader {
  readonly #onAnswer: () => void;
  #held = Buffer.alloc(0);
  #expects = false;

  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer;
  }

  /** True while bytes wait that may be the beginning of an answer. */
  get holds(): boolean {
    return this.#held.length > 0;
  }

  /** An answer may come from now on. */
  expect(): void {
    this.#expects = true;
  }

  /** No answer comes any more. Returns what was held back. */
  giveUp(): Buffer {
    this.#expects = false;
    return this.release();
  }

  release(): Buffer {
    const bytes = this.#held;
    this.#held = Buffer.alloc(0);
    return bytes;
  }

  /** Takes one read and returns what goes on to the program. */
  push(chunk: Buffer): Buffer {
    if (!this.#expects) return chunk;
    const bytes = this.holds ? Buffer.concat([this.release(), chunk]) : chunk;
    for (let at = bytes.indexOf(ESC); at !== -1; at = bytes.indexOf(ESC, at + 1)) {
      const rest = bytes.subarray(at);
      const ending = ENDINGS.find((end) => rest.subarray(ANSWER_START.length).indexOf(end) === 0);
      if (ending !== undefined && rest.indexOf(ANSWER_START) === 0) {
        this.#expects = false;
        this.#onAnswer();
        return Buffer.concat([bytes.subarray(0, at), rest.subarray(ANSWER_START.length + ending.length)]);
      }
      if (mayBecomeAnswer(rest)) {
        this.#held = Buffer.from(rest);
        return bytes.subarray(0, at);
      }
    }
    return bytes;
  }
}

function mayBecomeAnswer(rest: Buffer): boolean {
  return ENDINGS.some((ending) => {
    const answer = Buffer.concat([ANSWER_START, ending]);
    return rest.length < answer.length && answer.subarray(0, rest.length).equals(rest);
  });
}
