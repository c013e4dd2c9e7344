import type { Row } from '../view/row.ts';

/** Something that a person is told once. */
export interface Notice {
  kind: 'permission' | 'input' | 'failed' | 'done';
  row: Row;
}

export interface WaitNoticesOptions {
  /** Also tell that a turn ended: `failed` ones, `done` ones. */
  failed: boolean;
  done: boolean;
}

/** A wait shorter than this was answered by somebody already: no notice. */
export const SETTLED_MS = 300;
/** How long a session that is missing is remembered: a daemon that restarted shows it again. */
const MEMORY_MS = 60_000;

interface Seen {
  /** What the session asks for, or how its last turn ended; '' while nothing is to tell. */
  subject: Notice['kind'] | '';
  since: number;
  told: boolean;
  lastSeen: number;
}

/**
 * Turns snapshots into notices: once per wait, and none for what lasts less than 300 ms. Pure: time comes with each call.
 */
export class WaitNotices {
  readonly #options: WaitNoticesOptions;
  readonly #seen = new Map<string, Seen>();

  constructor(options: WaitNoticesOptions) {
    this.#options = options;
  }

  /**
   * Takes the latest rows; call it again after {@link nextLookMs}.
   *
   * @returns what has to be told now
   */
  take(rows: readonly Row[], nowMs: number): Notice[] {
    for (const row of rows) this.#update(row, nowMs);
    this.#forget(nowMs);
    return rows.flatMap((row) => this.#due(row, nowMs));
  }

  /** Milliseconds until a wait may have lasted long enough, or undefined when none is pending. */
  nextLookMs(nowMs: number): number | undefined {
    const pending = [...this.#seen.values()].filter(({ subject, told }) => subject !== '' && !told);
    if (pending.length === 0) return undefined;
    return Math.max(0, Math.min(...pending.map(({ since }) => since + SETTLED_MS - nowMs)));
  }

  #update(row: Row, nowMs: number): void {
    const known = this.#seen.get(row.id);
    const subject = this.#subjectOf(row);
    if (known?.subject === subject) {
      known.lastSeen = nowMs;
      return;
    }
    // A turn that ended before we looked is no news; a wait that still lasts is.
    const told = known === undefined && (subject === 'failed' || subject === 'done');
    this.#seen.set(row.id, { subject, since: nowMs, told, lastSeen: nowMs });
  }

  #subjectOf(row: Row): Seen['subject'] {
    if (row.state === 'waiting_for_permission') return 'permission';
    if (row.state === 'waiting_for_input') return 'input';
    if (row.state !== 'idle' || row.background > 0) return '';
    if (row.outcome === 'failed') return this.#options.failed ? 'failed' : '';
    return row.outcome === 'done' && this.#options.done ? 'done' : '';
  }

  #due(row: Row, nowMs: number): Notice[] {
    const seen = this.#seen.get(row.id);
    if (seen === undefined || seen.subject === '' || seen.told || nowMs - seen.since < SETTLED_MS) return [];
    seen.told = true;
    return [{ kind: seen.subject, row }];
  }

  #forget(nowMs: number): void {
    for (const [id, { lastSeen }] of this.#seen) if (nowMs - lastSeen > MEMORY_MS) this.#seen.delete(id);
  }
}
