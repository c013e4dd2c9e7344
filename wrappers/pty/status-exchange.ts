import type { OscSequence } from './sequence-filter.ts';

const QUESTION = '?';
/** What a terminal that understands program status says to the question. */
export const STATUS_ANSWER = '\x1b]7501;?\x1b\\';

export interface StatusExchangeParties {
  /** Writes to the program. */
  answerProgram(answer: string): void;
  /** The terminal was asked as well; its answer may come. */
  terminalWasAsked(): void;
  /** The program told its state. */
  record(text: Buffer): void;
}

/**
 * Who understands program status (OSC 7501). The program's question is answered at once and goes on to the terminal as
 * well. Until the terminal answers too, the program's records are for us alone; from then on everything passes.
 */
export class StatusExchange {
  readonly #parties: StatusExchangeParties;
  #asked = false;
  #terminalAnswers = false;
  #latest: Buffer | undefined;

  constructor(parties: StatusExchangeParties) {
    this.#parties = parties;
  }

  /** True while the program leaves the marks out of its titles on our word alone. */
  get isOursAlone(): boolean {
    return this.#asked && !this.#terminalAnswers;
  }

  /** Takes a program status sequence and returns what goes on to the terminal. */
  take({ text, whole }: OscSequence): Buffer | undefined {
    if (text.toString('latin1') === QUESTION) {
      if (this.#terminalAnswers) return whole;
      this.#asked = true;
      this.#parties.answerProgram(STATUS_ANSWER);
      this.#parties.terminalWasAsked();
      return whole;
    }
    this.#parties.record(text);
    if (!this.isOursAlone) return whole;
    this.#latest = Buffer.from(whole);
    return undefined;
  }

  /** The terminal has answered. Returns the record that it has missed, if any. */
  terminalAnswered(): Buffer | undefined {
    this.#terminalAnswers = true;
    const missed = this.#latest;
    this.#latest = undefined;
    return missed;
  }
}
