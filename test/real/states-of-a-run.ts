import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { LabRun } from '../lab/claude-lab.ts';
import { compareStates, parseStates } from '../lab/compare-states.ts';
import { expectedRows, UNNAMED } from '../lab/expected-rows.ts';
import { type ExpectedChange, expectedChanges } from '../lab/expected-states.ts';
import type { Sighting } from '../lab/observed-states.ts';
import type { Lateness } from './lateness.ts';

/**
 * Runs in which a second process of Claude, not wrapped, works on the same session for a while: its record shows what it
 * does, as long as it lives.
 */
const OF_TWO_PROCESSES: Record<string, string> = {
  'resume-while-running': 'starting? idle? working idle working? idle? working idle ended',
};
const EXACT_FEED = 'claude_stream';
const FIXTURES = path.join(import.meta.dirname, '../fixtures/claude');

/** The row's states without the end of its linger. */
function statesOf(sightings: readonly Sighting[]): Sighting[] {
  return sightings.filter(({ state }) => state !== 'gone');
}

/** Checks what the subscriber saw of a stream run against what the run's own capture justifies, and how late it was. */
export function expectTheStatesOfTheStream(run: LabRun, lateness: Lateness): void {
  expect(run.problems).toEqual([]);
  const expected = expectedRows(run.capture);
  const [unnamed] = run.rows.keys();
  const table = OF_TWO_PROCESSES[run.scenario.name];
  for (const [id, states] of expected) {
    const shownId = id === UNNAMED ? unnamed : id;
    const seen = statesOf(run.rows.get(shownId ?? '') ?? []);
    const comparison = compareStates(table === undefined ? states : parseStates(table), seen);
    expect(comparison.ok ? 'as expected' : explain(comparison.reason, run)).toBe('as expected');
    if (table === undefined) expect(feedsAfterTheFirstExactOne(seen)).toEqual([]);
    if (comparison.ok && table === undefined) lateness.add(run.scenario.name, comparison.delays);
  }
  if (!expected.has(UNNAMED)) expect([...run.rows.keys()].sort()).toEqual([...expected.keys()].sort());
}

/** Feeds other than the wrapper's that decided a state of a row after the wrapper had spoken for it. */
function feedsAfterTheFirstExactOne(seen: Sighting[]): string[] {
  const feeds = seen.map(({ state, entry }) => `${state} by ${entry?.feed ?? 'nobody'}`);
  const first = seen.findIndex(({ entry }) => entry?.feed === EXACT_FEED);
  if (first === -1) return [];
  return feeds.slice(first).filter((_, at) => seen[first + at]?.entry?.feed !== EXACT_FEED);
}

/** The reason with every sighting, its time and its feed, and the daemon's log. */
function explain(reason: string, run: LabRun): string {
  const start = run.capture[0]?.t ?? 0;
  const rows = [...run.rows].map(([id, sightings]) => {
    const shown = sightings.map(
      ({ t, state, entry }) => `${t - start} ${state} by ${entry?.feed ?? 'nobody'}`,
    );
    return `${id}: ${shown.join(' | ')}`;
  });
  const expected = [...expectedRows(run.capture)].map(
    ([id, states]) => `${id}: ${states.map(({ t, state }) => `${t - start} ${state}`).join(' | ')}`,
  );
  return [reason, 'seen:', ...rows, 'expected:', ...expected, 'daemon:', run.daemonOutput].join('\n');
}

/** Checks that the agent still behaves as when it was captured, where there is a capture of the scenario. */
export function expectTheStatesOfTheCapture(run: LabRun): void {
  const file = path.join(FIXTURES, `${run.scenario.name}.expect.json`);
  if (!existsSync(file)) return;
  const { changes } = JSON.parse(readFileSync(file, 'utf8')) as { changes: ExpectedChange[] };
  const now = expectedChanges(run.capture)
    .map(({ state }) => state)
    .filter((state, at, all) => state !== 'ended' || at === all.length - 1)
    .filter((state, at, all) => state !== all[at - 1]);
  expect(now).toEqual(changes.map(({ state }) => state));
}
