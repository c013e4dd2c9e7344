import path from 'node:path';
import { parseRfc3339 } from '../contract/clock.ts';
import type { CatalogState, Harness, Session } from './session.ts';

/** Which sessions are wanted. What is absent does not restrict. */
export interface CatalogQuery {
  words: readonly string[];
  harness?: Harness;
  /** Part of a repository's id, any case. */
  repo?: string;
  /** An absolute directory: sessions started in it or below. */
  cwd?: string;
  /** ms since 1970: sessions with activity at or after it. */
  since?: number;
  state?: CatalogState;
  /** A work-tracking id. */
  work?: string;
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * The time a `--since` means: a span back from now (`90m`, `12h`, `3d`, `2w`), a day (`2026-11-30`, local midnight) or an
 * RFC 3339 time. Undefined when it is none of them.
 */
export function parseSince(text: string, now: number): number | undefined {
  const span = /^(\d{1,6})([mhdw])$/.exec(text);
  if (span !== null) return now - Number(span[1]) * UNIT_MS[span[2] as keyof typeof UNIT_MS];
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (day === null) return parseRfc3339(text);
  const [year, month, date] = day.slice(1).map(Number) as [number, number, number];
  const midnight = new Date(year, month - 1, date);
  return midnight.getMonth() === month - 1 && midnight.getDate() === date ? midnight.getTime() : undefined;
}

/** True when a session passes every filter but the words and the work reference. */
export function passesFilters(session: Session, query: CatalogQuery): boolean {
  if (query.harness !== undefined && session.harness !== query.harness) return false;
  if (query.state !== undefined && session.state !== query.state) return false;
  if (query.since !== undefined && Date.parse(session.lastActivityAt) < query.since) return false;
  if (query.cwd !== undefined && !isWithin(session.cwd, query.cwd)) return false;
  return query.repo === undefined || holds(session.repository, query.repo);
}

function isWithin(folder: string | undefined, parent: string): boolean {
  if (folder === undefined) return false;
  const relative = path.relative(parent, folder);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`));
}

function holds(text: string | undefined, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) === true;
}
