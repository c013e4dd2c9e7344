import { parseRfc3339 } from '../../contract/clock.ts';
import { sanitize } from '../../contract/sanitize.ts';
import { lookOf, type StateLook } from './states.ts';

/**
 * One session as every surface shows it. Texts are sanitised: no control and no reordering characters. Surfaces with a
 * syntax of their own still escape for that syntax.
 */
export interface Row {
  /** The id as it came, for requests. Never print it: use {@link Row.shownId}. */
  id: string;
  shownId: string;
  state: string;
  look: StateLook;
  agent: 'claude' | 'codex' | 'pi';
  /** True when a reporting editor window shows the session. */
  inWindow: boolean;
  repo: string | undefined;
  cwd: string | undefined;
  model: string | undefined;
  /** Repository, else last part of the folder, else the first eight characters of the id. */
  name: string;
  /** Wall-clock milliseconds; undefined when the daemon's time could not be read. */
  seenAt: number | undefined;
  /** Since when the session is in its state, as far as known. */
  since: number | undefined;
  /** Running subagents and shells after the turn ended. */
  background: number;
  outcome: string | undefined;
  stale: boolean;
}

/** The rows of a `list` reply or a frame, in its order. Anything that is not a session is passed over. */
export function toRows(payload: unknown): Row[] {
  const sessions = property(payload, 'sessions');
  return Array.isArray(sessions) ? sessions.flatMap((entry) => toRow(entry)) : [];
}

function toRow(entry: unknown): Row[] {
  const id = property(entry, 'session_id');
  const state = shownText(property(entry, 'state'));
  if (typeof id !== 'string' || state === undefined) return [];
  const repo = shownText(property(entry, 'repo'));
  const cwd = shownText(property(entry, 'cwd'));
  const shownId = sanitize(id);
  return [
    {
      id,
      shownId,
      state,
      look: lookOf(state),
      agent: agentOf(property(entry, 'agent')),
      inWindow: property(property(entry, 'source'), 'kind') === 'vs_code',
      repo,
      cwd,
      model: shownText(property(entry, 'model')),
      name: repo ?? lastPart(cwd) ?? [...shownId].slice(0, 8).join(''),
      seenAt: time(property(entry, 'last_seen')),
      since: time(property(entry, 'since')),
      background: backgroundOf(property(entry, 'background')),
      outcome: shownText(property(entry, 'outcome')),
      stale: property(entry, 'stale') === true,
    },
  ];
}

function property(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[key];
}

function shownText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? sanitize(value) : '';
  return text === '' ? undefined : text;
}

function time(value: unknown): number | undefined {
  return typeof value === 'string' ? parseRfc3339(value) : undefined;
}

function agentOf(value: unknown): Row['agent'] {
  return value === 'codex' || value === 'pi' ? value : 'claude';
}

function lastPart(cwd: string | undefined): string | undefined {
  return cwd?.split('/').findLast((part) => part !== '');
}

function backgroundOf(value: unknown): number {
  return count(property(value, 'subagents')) + count(property(value, 'shells'));
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
