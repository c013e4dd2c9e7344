import { rfc3339 } from '../contract/clock.ts';
import { combine, type Liveness } from './live/liveness.ts';
import type { SessionReader } from './readers/reader.ts';
import type { Candidate, Session, SessionLinks, SessionRecord } from './session.ts';

/** What a session's view is made of. */
export interface Parts {
  candidate: Candidate;
  record: SessionRecord;
  reader: SessionReader;
  /** The registry's word on the session. */
  registry: Liveness;
  repository: string | undefined;
  /** ms since 1970: no time of a session is later. */
  now: number;
}

/**
 * The session as the catalog shows it. A time in the future (a wrong clock, a damaged file) counts as now, so that it
 * cannot hold the first place for ever. Only a conversation in which a person typed can be resumed.
 */
export function composeSession(parts: Parts): Session {
  const { candidate, reader, now, repository } = parts;
  const overlay = reader.overlay(candidate, parts.record);
  const { record } = overlay;
  const live = combine(reader.liveness(candidate.id), parts.registry);
  const canResume = record.hasPrompt && record.cwd !== undefined;
  const links = linksOf(record);
  const time = (at: number | undefined) => (at === undefined ? undefined : rfc3339(Math.min(at, now)));
  return withoutUndefined({
    harness: candidate.harness,
    id: candidate.id,
    title: record.title,
    titleSource: record.titleSource,
    cwd: record.cwd,
    repository,
    gitBranch: record.gitBranch,
    origin: record.origin,
    createdAt: time(record.createdAt),
    lastActivityAt: rfc3339(activityOf(candidate, record, now)),
    lastHumanActivityAt: time(record.lastHumanActivityAt),
    recentPrompts: record.recentPrompts,
    state: stateOf(live, record),
    runtime: live.kind === 'running' ? live.runtime : undefined,
    resume:
      canResume && record.cwd !== undefined ? reader.resumeSpec(candidate, overlay, record.cwd) : undefined,
    archived: overlay.archived,
    links,
    transcript: candidate.path,
  });
}

/** When anything last happened, in ms since 1970: by the conversation's own clock, else by the file's. */
export function activityOf(candidate: Candidate, record: SessionRecord, now: number): number {
  return Math.min(record.lastActivityAt ?? candidate.writtenAt, now);
}

function stateOf(live: Liveness, record: SessionRecord): Session['state'] {
  if (live.kind === 'running') return 'running';
  return live.kind === 'absent' && record.hasPrompt ? 'resumable' : 'unknown';
}

function linksOf({ forkedFrom, continues }: SessionRecord): SessionLinks | undefined {
  if (forkedFrom === undefined && continues === undefined) return undefined;
  return withoutUndefined({ forkedFrom, continues });
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<T>;
}

/** Names, on each session, the sessions at hand that were forked from it or go on from it. */
export function linkSessions(sessions: readonly Session[]): Session[] {
  const children = new Map<string, string[]>();
  for (const { harness, id, links } of sessions) {
    for (const parent of [links?.forkedFrom, links?.continues]) {
      if (parent === undefined) continue;
      const key = `${harness}:${parent}`;
      children.set(key, [...(children.get(key) ?? []), id]);
    }
  }
  return sessions.map((session) => {
    const continuedBy = children.get(`${session.harness}:${session.id}`);
    return continuedBy === undefined ? session : { ...session, links: { ...session.links, continuedBy } };
  });
}
