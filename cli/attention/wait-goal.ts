import { tallyStates } from '../../contract/summary.ts';
import type { Row } from '../view/row.ts';
import type { WaitState } from './wait-states.ts';

export interface WaitGoalOptions {
  /** Id or beginning of an id; undefined for any session. */
  id: string | undefined;
  state: WaitState;
}

/** What a snapshot means for the wait. */
export type WaitVerdict =
  | { is: 'not-yet' }
  | { is: 'reached'; id: string; state: string; row: Row | undefined }
  | { is: 'impossible'; why: string };

/** How long a session is looked for: a daemon that was just started has yet to find it. */
const FIND_MS = 3_000;
/** How long a session may be missing after the daemon came back until it counts as gone. */
const RETURN_MS = 30_000;

/**
 * Decides whether a wait is over, from one snapshot after the other. Pure: time comes with each snapshot.
 */
export class WaitGoal {
  readonly #options: WaitGoalOptions;
  /** The session that the id stands for, once it was seen. */
  #bound: string | undefined;
  /** When the first snapshot came. */
  #firstAt: number | undefined;
  /** Since when it is missing. */
  #missingSince: number | undefined;

  constructor(options: WaitGoalOptions) {
    this.#options = options;
  }

  /**
   * Takes a snapshot.
   *
   * @param interrupted true when the daemon was away since the last one: a missing session may come back then
   */
  take(rows: readonly Row[], nowMs: number, interrupted: boolean): WaitVerdict {
    return this.#options.id === undefined
      ? this.#any(rows)
      : this.#one(this.#options.id, rows, nowMs, interrupted);
  }

  #any(rows: readonly Row[]): WaitVerdict {
    const found = rows.find((row) => isIn(row, this.#options.state));
    return found === undefined ? { is: 'not-yet' } : reached(found);
  }

  #one(id: string, rows: readonly Row[], nowMs: number, interrupted: boolean): WaitVerdict {
    const matches = rows.filter((row) =>
      this.#bound === undefined ? row.id.startsWith(id) : row.id === this.#bound,
    );
    const exact = matches.find((row) => row.id === id);
    const [first] = exact === undefined ? matches : [exact];
    if (exact === undefined && matches.length > 1) {
      return { is: 'impossible', why: `several sessions begin with ${id}` };
    }
    if (first === undefined) return this.#missing(id, nowMs, interrupted);
    this.#bound = first.id;
    this.#missingSince = undefined;
    return this.#judge(first);
  }

  #judge(row: Row): WaitVerdict {
    if (isIn(row, this.#options.state)) return reached(row);
    return row.state === 'ended'
      ? { is: 'impossible', why: `session ${row.shownId} has ended` }
      : { is: 'not-yet' };
  }

  #missing(id: string, nowMs: number, interrupted: boolean): WaitVerdict {
    if (this.#bound === undefined) return this.#notFound(id, nowMs);
    this.#missingSince ??= interrupted ? nowMs : nowMs - RETURN_MS;
    if (nowMs - this.#missingSince < RETURN_MS) return { is: 'not-yet' };
    if (this.#options.state === 'ended')
      return { is: 'reached', id: this.#bound, state: 'ended', row: undefined };
    return { is: 'impossible', why: `session ${this.#bound} is gone` };
  }

  #notFound(id: string, nowMs: number): WaitVerdict {
    this.#firstAt ??= nowMs;
    if (nowMs - this.#firstAt < FIND_MS) return { is: 'not-yet' };
    return { is: 'impossible', why: `no session begins with ${id}` };
  }
}

function reached(row: Row): WaitVerdict {
  return { is: 'reached', id: row.id, state: row.state, row };
}

/** `starting` is no idle here: the session has yet to come to its prompt. */
function isIn({ state }: Row, wanted: WaitState): boolean {
  return wanted === 'waiting' ? tallyStates([state]).waiting === 1 : state === wanted;
}
