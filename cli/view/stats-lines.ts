import { sanitize } from '../../contract/sanitize.ts';
import type { WaitingTimePayload } from '../../contract/waiting-time.ts';
import { padStart } from './cells.ts';
import { shortDuration } from './duration.ts';

/** The payload of a `stats` reply, or undefined when it has another shape. */
export function asWaitingTime(payload: unknown): WaitingTimePayload | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  if (!('sessions' in payload && Array.isArray(payload.sessions))) return undefined;
  if (!('repositories' in payload && Array.isArray(payload.repositories))) return undefined;
  return payload as WaitingTimePayload;
}

/** How long sessions and repositories stood waiting today, for a person. */
export function statsLines(stats: WaitingTimePayload): string[] {
  const total = sum(stats.sessions.map(({ waited_s }) => waited_s));
  const waits = sum(stats.sessions.map((session) => session.waits));
  const since = new Date(stats.since).toTimeString().slice(0, 5);
  const head = `${shown(stats.day)}, since ${since}: ${waits} wait(s), ${shortDuration(total * 1000)} in all`;
  if (stats.sessions.length === 0) return [`${shown(stats.day)}, since ${since}: nothing waited for you`];
  const repositories = stats.repositories.map(({ repo, waited_s, waits: count }) =>
    line(waited_s, count, shown(repo)),
  );
  return [
    head,
    ...(repositories.length === 0 ? [] : ['', 'WAITED  WAITS  REPOSITORY', ...repositories]),
    '',
    'WAITED  WAITS  SESSION   AGENT   FOLDER',
    ...stats.sessions.map((session) => {
      const id = [...shown(session.session_id)].slice(0, 8).join('').padEnd(8);
      const text = `${id}  ${shown(session.agent).padEnd(6)}  ${shown(session.cwd ?? '-')}`;
      return line(session.waited_s, session.waits, session.waiting ? `${text}  (waits now)` : text);
    }),
  ];
}

function line(waitedSeconds: number, waits: number, text: string): string {
  return `${padStart(shortDuration(waitedSeconds * 1000), 6)}  ${padStart(String(waits), 5)}  ${text}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function shown(value: unknown): string {
  return sanitize(String(value));
}
