import type { Outcome, SessionState } from '../../contract/events.ts';

/** What the program's status says of its session. */
export interface ProgramState {
  state: SessionState;
  /** How the last turn ended; absent before the first one and while one runs. */
  outcome?: Outcome;
  /** Subagents that run. */
  subagents: number;
}

/** More subagents than this are not told apart. */
const SUBAGENTS_LIMIT = 256;
const LONGEST_ID = 128;
/** What a program may be blocked on. */
const KINDS: ReadonlySet<string> = new Set(['permission', 'question', 'auth']);
const PLAIN_WORD = /^[a-z_-]{1,24}$/;
const WORDS_LIMIT = 16;

/**
 * Reads program status records (OSC 7501): `key=value` joined by colons. Only `state`, `kind` and `id` are looked at;
 * messages and titles, which hold text of the conversation, are not even decoded. A record with an `id` is about a
 * subagent and only counts it. A word that is not known changes nothing and is counted.
 */
export class ProgramStatus {
  readonly #unknown = new Map<string, number>();
  #state: SessionState | undefined;
  #outcome: Outcome | undefined;
  readonly #subagents = new Set<string>();

  /** What is known now, or undefined: the program has said nothing yet, or has taken back what it said. */
  get current(): ProgramState | undefined {
    if (this.#state === undefined) return undefined;
    const outcome = this.#outcome === undefined ? {} : { outcome: this.#outcome };
    return { state: this.#state, ...outcome, subagents: this.#subagents.size };
  }

  /** Words that were not understood so far, and how often they came. */
  get unknownWords(): Record<string, number> {
    return Object.fromEntries(this.#unknown);
  }

  /** Takes the text of one record. */
  read(text: Buffer): void {
    const { state, kind, id } = fieldsOf(text);
    if (id === undefined) this.#session(state, kind);
    else this.#subagent(state, id);
  }

  #session(state: string | undefined, kind: string | undefined): void {
    switch (state) {
      case 'working':
        return this.#set('working');
      case 'blocked':
        if (kind !== undefined && !KINDS.has(kind)) this.#countUnknown('kind', kind);
        return this.#set(kind === 'question' ? 'waiting_for_input' : 'waiting_for_permission');
      case 'idle':
        // After an interrupt the program is idle without having been done.
        return this.#rest(this.#isInTurn() ? 'interrupted' : this.#outcome);
      case 'done':
        return this.#rest('done');
      case 'error':
        return this.#rest('failed');
      case 'clear':
        this.#state = undefined;
        this.#outcome = undefined;
        this.#subagents.clear();
        return;
      default:
        this.#countUnknown('state', state);
    }
  }

  #subagent(state: string | undefined, id: string): void {
    switch (state) {
      case 'working':
      case 'blocked':
        if (this.#subagents.size < SUBAGENTS_LIMIT) this.#subagents.add(id);
        return;
      case 'clear':
      case 'idle':
      case 'done':
      case 'error':
        this.#subagents.delete(id);
        return;
      default:
        this.#countUnknown('state', state);
    }
  }

  #countUnknown(key: string, word: string | undefined): void {
    // What is no plain word might be anything.
    const named = `${key}=${word !== undefined && PLAIN_WORD.test(word) ? word : '?'}`;
    const count = this.#unknown.get(named);
    if (count !== undefined || this.#unknown.size < WORDS_LIMIT) this.#unknown.set(named, (count ?? 0) + 1);
  }

  #isInTurn(): boolean {
    return this.#state !== undefined && this.#state !== 'idle';
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#outcome = undefined;
  }

  #rest(outcome: Outcome | undefined): void {
    this.#state = 'idle';
    this.#outcome = outcome;
  }
}

interface Fields {
  state?: string;
  kind?: string;
  id?: string;
}

function fieldsOf(text: Buffer): Fields {
  const fields: Fields = {};
  for (let at = 0; at < text.length; ) {
    const colon = text.indexOf(0x3a, at);
    const end = colon === -1 ? text.length : colon;
    const equals = text.indexOf(0x3d, at);
    if (equals !== -1 && equals < end) {
      const key = text.toString('latin1', at, Math.min(equals, at + 8));
      if (key === 'state' || key === 'kind' || key === 'id')
        fields[key] = text.toString('latin1', equals + 1, Math.min(end, equals + 1 + LONGEST_ID));
    }
    at = end + 1;
  }
  return fields;
}
