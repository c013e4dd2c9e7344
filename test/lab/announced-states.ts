import type { ExpectedState } from './compare-states.ts';
import { SHORT_STATE_MS } from './expected-rows.ts';
import type { Sighting } from './observed-states.ts';
import type { AnnouncedState } from './program-status.ts';

/** A moment at which what a subscriber would call "the state of this terminal" changed. */
export interface ShownState {
  t: number;
  state: Sighting['state'];
}

/**
 * The states of one terminal over time, from all of its rows: the newest row counts, and an old row's end is no end of
 * the terminal as long as a new one follows (as after /clear).
 */
export function shownStates(rows: ReadonlyMap<string, readonly Sighting[]>): ShownState[] {
  const ids = [...rows.keys()];
  const events = ids
    .flatMap((id, age) => (rows.get(id) ?? []).map(({ t, state }) => ({ t, state, age })))
    .filter(({ state }) => state !== 'gone')
    .sort((a, b) => a.t - b.t || a.age - b.age);
  const shown: ShownState[] = [];
  for (const [at, { t, state, age }] of events.entries()) {
    const newest = Math.max(...events.slice(0, at + 1).map((event) => event.age));
    const replaced = state === 'ended' && age < ids.length - 1;
    if (age < newest || replaced || shown.at(-1)?.state === state) continue;
    shown.push({ t, state });
  }
  return shown;
}

/** What should be shown, given what the agent announced. Before its first announcement it is starting. */
export function expectedFromAnnounced(announced: readonly AnnouncedState[]): ExpectedState[] {
  const first = announced[0];
  const starting = first === undefined ? [] : [{ state: 'starting' as const, t: first.t, optional: true }];
  const states = announced.map(({ state, t }, at) => {
    const next = announced[at + 1];
    return { state, t, optional: next !== undefined && next.t - t < SHORT_STATE_MS };
  });
  return [...starting, ...states];
}
