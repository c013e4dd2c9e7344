import type { Candidate } from './session.ts';

/** How many files are put in order first: enough for a page and what surrounds it. */
const FIRST_PART = 256;

/**
 * The session files of a listing, by time of writing. A page needs a few of thousands: the others are only put in order
 * when somebody asks for them.
 */
export class NewestFiles {
  readonly all: readonly Candidate[];
  #ordered: Candidate[] | undefined;

  constructor(listings: readonly (readonly Candidate[])[]) {
    this.all = listings.flat();
  }

  /** One file per session, the latest written of each; newest first. */
  *newestFirst(): Generator<Candidate> {
    const seen = new Set<string>();
    for (const part of this.#parts()) {
      for (const candidate of part) {
        const key = `${candidate.harness}:${candidate.id}`;
        if (seen.has(key)) continue;
        seen.add(key);
        yield candidate;
      }
    }
  }

  *#parts(): Generator<Candidate[]> {
    if (this.#ordered !== undefined) return yield this.#ordered;
    const times = new Float64Array(this.all.length);
    for (const [index, { writtenAt }] of this.all.entries()) times[index] = writtenAt;
    times.sort();
    const bound = times[times.length - FIRST_PART] ?? Number.NEGATIVE_INFINITY;
    yield inOrder(this.all.filter(({ writtenAt }) => writtenAt > bound));
    this.#ordered = inOrder([...this.all]);
    // What was given already is passed over by its id.
    yield this.#ordered;
  }
}

function inOrder(candidates: Candidate[]): Candidate[] {
  return candidates.sort((a, b) => b.writtenAt - a.writtenAt);
}
