import type { Row } from '../view/row.ts';

/**
 * Fills in since when each session is in its state where the daemon does not say (an older one): from the moment the
 * change was seen here.
 */
export class SinceMemory {
  readonly #seen = new Map<string, { state: string; since: number }>();

  fill(rows: readonly Row[], nowMs: number): Row[] {
    const filled = rows.map((row) =>
      row.since === undefined ? { ...row, since: this.#sinceOf(row, nowMs) } : row,
    );
    const present = new Set(rows.map((row) => row.id));
    for (const id of this.#seen.keys()) if (!present.has(id)) this.#seen.delete(id);
    return filled;
  }

  #sinceOf(row: Row, nowMs: number): number {
    const known = this.#seen.get(row.id);
    if (known?.state === row.state) return known.since;
    // At first sight the last sighting is the best guess; after that the change itself was seen.
    const since = known === undefined ? (row.seenAt ?? nowMs) : nowMs;
    this.#seen.set(row.id, { state: row.state, since });
    return since;
  }
}
