import { parseRfc3339, rfc3339 } from '../../contract/clock.ts';
import { isWaiting } from '../../contract/events.ts';
import type { SessionEntry } from '../../contract/messages.ts';
import type { WaitingTimePayload } from '../../contract/waiting-time.ts';

/** Most sessions and repositories remembered of one day: those that waited least go first. */
export const MOST_REMEMBERED = 512;

interface Sum {
  waits: number;
  waitedMs: number;
}

interface SessionSum extends Sum {
  entry: SessionEntry;
}

/** Wall-clock and awake milliseconds of one look. */
export interface LookTime {
  wall: number;
  awake: number;
}

/**
 * How long sessions stood waiting for a person today, worked out from looks at the rows. A row says since when it is in
 * its state, so waits are measured exactly however far looks are apart; what lies between two looks is bounded by awake
 * time, so that a night with the lid closed counts for nothing. Ids, folders and counts only, and bounded.
 */
export class WaitingTime {
  readonly #dayOf: (wallMs: number) => string;
  readonly #sessions = new Map<string, SessionSum>();
  readonly #repositories = new Map<string, Sum>();
  /** Since when each waiting session waits, as its row says. */
  #open = new Map<string, string>();
  #last: LookTime | undefined;
  #day = '';
  #since = 0;

  /** @param dayOf the local day of a time, `YYYY-MM-DD` */
  constructor(dayOf: (wallMs: number) => string = localDay) {
    this.#dayOf = dayOf;
  }

  /** Takes the rows as they are now. */
  look(entries: readonly SessionEntry[], now: LookTime): void {
    const between = this.#last === undefined ? 0 : Math.max(0, now.awake - this.#last.awake);
    this.#last = now;
    this.#turnDay(now.wall);
    const open = new Map<string, string>();
    for (const entry of entries) {
      this.#account(entry, between, now.wall);
      if (isWaiting(entry.state)) open.set(entry.session_id, sinceOf(entry));
    }
    this.#open = open;
  }

  /** Today's sums, longest first. */
  today(): WaitingTimePayload {
    const sessions = [...this.#sessions.values()].sort(byTime).map(({ entry, waits, waitedMs }) => ({
      session_id: entry.session_id,
      agent: entry.agent,
      ...(entry.repo === undefined ? {} : { repo: entry.repo }),
      ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
      waits,
      waited_s: seconds(waitedMs),
      waiting: this.#open.has(entry.session_id),
    }));
    const repositories = [...this.#repositories]
      .sort(([, a], [, b]) => byTime(a, b))
      .map(([repo, { waits, waitedMs }]) => ({ repo, waits, waited_s: seconds(waitedMs) }));
    return { day: this.#day, since: rfc3339(this.#since), sessions, repositories };
  }

  /** A new day begins with nothing; a wait that goes on counts again from here. */
  #turnDay(wallMs: number): void {
    const day = this.#dayOf(wallMs);
    if (day === this.#day) return;
    this.#day = day;
    this.#since = wallMs;
    this.#sessions.clear();
    this.#repositories.clear();
    this.#open.clear();
  }

  #account(entry: SessionEntry, betweenMs: number, wallMs: number): void {
    const before = this.#open.get(entry.session_id);
    const inState = Math.min(betweenMs, Math.max(0, wallMs - (parseRfc3339(entry.since ?? '') ?? wallMs)));
    const waits = isWaiting(entry.state);
    if (waits && before === sinceOf(entry)) return this.#add(entry, 0, betweenMs);
    // The old wait lasted until the row came into the state that it is in now.
    if (before !== undefined) this.#add(entry, 0, betweenMs - inState);
    if (waits) this.#add(entry, 1, inState);
  }

  #add(entry: SessionEntry, waits: number, ms: number): void {
    const session = this.#sessions.get(entry.session_id) ?? { entry, waits: 0, waitedMs: 0 };
    this.#sessions.set(entry.session_id, {
      entry,
      waits: session.waits + waits,
      waitedMs: session.waitedMs + ms,
    });
    makeRoom(this.#sessions);
    if (entry.repo === undefined) return;
    const repository = this.#repositories.get(entry.repo) ?? { waits: 0, waitedMs: 0 };
    this.#repositories.set(entry.repo, {
      waits: repository.waits + waits,
      waitedMs: repository.waitedMs + ms,
    });
    makeRoom(this.#repositories);
  }
}

function sinceOf(entry: SessionEntry): string {
  return entry.since ?? '';
}

function byTime(a: Sum, b: Sum): number {
  return b.waitedMs - a.waitedMs || b.waits - a.waits;
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function makeRoom(sums: Map<string, Sum>): void {
  if (sums.size <= MOST_REMEMBERED) return;
  const [least] = [...sums].reduce((a, b) => (byTime(a[1], b[1]) >= 0 ? a : b));
  sums.delete(least);
}

/** The day of a time in this machine's zone. */
export function localDay(wallMs: number): string {
  const date = new Date(wallMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
