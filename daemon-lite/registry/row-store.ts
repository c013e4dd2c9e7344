import type { RemovalReason } from './api.ts';
import { ENDED_LINGER_MS, MAX_SESSIONS, SESSION_TTL_MS } from './limits.ts';
import type { SessionRow } from './session-row.ts';

/** The rows, bounded in number and aged in awake time. */
export class RowStore {
  readonly #rows = new Map<string, SessionRow>();
  readonly #removed: (reason: RemovalReason, row: SessionRow) => void;

  constructor(removed: (reason: RemovalReason, row: SessionRow) => void) {
    this.#removed = removed;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): SessionRow | undefined {
    return this.#rows.get(id);
  }

  values(): IterableIterator<SessionRow> {
    return this.#rows.values();
  }

  /** Adds a row; at the cap the longest-silent one (lowest id on a tie) makes room. */
  add(row: SessionRow): void {
    if (this.#rows.size >= MAX_SESSIONS) this.#evict();
    this.#rows.set(row.id, row);
  }

  /** Drops what was silent past its time; the number of dropped rows. */
  reap(awake: number): number {
    let reaped = 0;
    for (const row of this.#rows.values()) {
      const reason = overdue(row, awake);
      if (reason === undefined) continue;
      this.#remove(reason, row);
      reaped += 1;
    }
    return reaped;
  }

  #evict(): void {
    let silent: SessionRow | undefined;
    for (const row of this.#rows.values()) {
      if (silent === undefined || isMoreSilent(row, silent)) silent = row;
    }
    if (silent !== undefined) this.#remove('session_cap', silent);
  }

  #remove(reason: RemovalReason, row: SessionRow): void {
    this.#rows.delete(row.id);
    this.#removed(reason, row);
  }
}

function overdue(row: SessionRow, awake: number): RemovalReason | undefined {
  if (row.endedAwake !== undefined) return awake - row.endedAwake > ENDED_LINGER_MS ? 'ended_ttl' : undefined;
  return awake - row.lastSeenAwake > SESSION_TTL_MS ? 'session_ttl' : undefined;
}

function isMoreSilent(left: SessionRow, right: SessionRow): boolean {
  if (left.lastSeenAwake !== right.lastSeenAwake) return left.lastSeenAwake < right.lastSeenAwake;
  return left.id < right.id;
}
