import type { CapturedLine } from './capture.ts';
import type { ExpectedState } from './compare-states.ts';
import { type ExpectedChange, expectedChanges } from './expected-states.ts';

/**
 * A state that lasts less than this many milliseconds may go unseen, no other: a wrapper keeps only the newest state
 * while a report is under way, and the daemon answers a burst of changes with one frame. On a loaded machine each of
 * the two takes some hundred milliseconds.
 */
export const SHORT_STATE_MS = 500;

/** Stands for the id of a session that the stream never named. */
export const UNNAMED = 'unnamed';

/**
 * What a subscriber should see of a captured run, by session id. States before the stream named its session belong to
 * the first id and are optional, a rest before the first turn included: only another feed can have shown them.
 */
export function expectedRows(capture: CapturedLine[]): Map<string, ExpectedState[]> {
  const changes = expectedChanges(capture);
  const rows = new Map<string, ExpectedChange[]>();
  for (const change of changes) {
    if (change.session_id === undefined) continue;
    const row = rows.get(change.session_id) ?? [];
    rows.set(change.session_id, [...row, change]);
  }
  const firstNamed = changes.findIndex(({ session_id }) => session_id !== undefined);
  const unnamed = firstNamed === -1 ? changes : changes.slice(0, firstNamed);
  const timeOf = (index: number) => capture[Math.max(index, 0)]?.t ?? 0;

  const expected = new Map<string, ExpectedState[]>();
  for (const [id, row] of rows) {
    expected.set(
      id,
      row.map(({ state, index }, at) => {
        const next = row[at + 1];
        const lasted = next === undefined ? Number.POSITIVE_INFINITY : timeOf(next.index) - timeOf(index);
        return { state, t: timeOf(index), optional: lasted < SHORT_STATE_MS };
      }),
    );
  }
  const early = [...unnamed, { state: 'idle' as const, index: 0 }].map(({ state, index }) => ({
    state,
    t: timeOf(index),
    optional: true,
  }));
  const [firstId = UNNAMED, ...laterIds] = expected.keys();
  expected.set(firstId, [...early, ...(expected.get(firstId) ?? [])]);
  for (const id of laterIds) expected.set(id, withForerunner(expected.get(id) ?? []));
  return expected;
}

/**
 * Claude's own record may name a new session of a running process a moment before the stream does, and show its first
 * short states already.
 */
function withForerunner(states: ExpectedState[]): ExpectedState[] {
  const settled = states.findIndex(({ optional }) => !optional);
  const forerunner = states.slice(0, settled + 1).map((state) => ({ ...state, optional: true }));
  return [...forerunner, ...states];
}
