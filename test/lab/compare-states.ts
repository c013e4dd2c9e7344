import type { SessionState } from '../../contract/events.ts';

/** One state that a row should take, and from when on it lasted how long. */
export interface ExpectedState {
  state: SessionState;
  /** Wall-clock milliseconds of the line that settles it. */
  t: number;
  /** May be missing from what was seen. */
  optional: boolean;
}

export interface SeenState {
  t: number;
  state: string;
}

/** Reads `working idle? ended`: states in order, the optional ones marked. Their time is 0. */
export function parseStates(text: string): ExpectedState[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({
      state: word.replace('?', '') as SessionState,
      t: 0,
      optional: word.endsWith('?'),
    }));
}

/** How late each state that had to be seen was, in milliseconds, or why the two do not fit. */
export type Comparison = { ok: true; delays: number[] } | { ok: false; reason: string };

/**
 * Compares what a subscriber saw of one row with what it should have seen. Each seen state has to be an expected one,
 * in order; each expected state that is not optional has to be seen. Expected neighbours that become equal because
 * an optional state between them was not seen count once.
 */
export function compareStates(expected: ExpectedState[], seen: SeenState[]): Comparison {
  const delays = match(expected, seen, undefined);
  if (delays !== undefined) return { ok: true, delays };
  const shown = (states: { state: string; optional?: boolean }[]) =>
    states.map(({ state, optional }) => (optional ? `(${state})` : state)).join(' > ') || 'nothing';
  return { ok: false, reason: `expected ${shown(expected)}\n    seen ${shown(seen)}` };
}

function match(
  expected: ExpectedState[],
  seen: SeenState[],
  previous: SessionState | undefined,
): number[] | undefined {
  const [next, ...rest] = expected;
  if (next === undefined) return seen.length === 0 ? [] : undefined;
  // Equal to the state that shows already: no change to see.
  if (next.state === previous) return match(rest, seen, previous);
  const [first, ...later] = seen;
  if (first !== undefined && first.state === next.state) {
    const delays = match(rest, later, next.state);
    if (delays !== undefined) return next.optional ? delays : [first.t - next.t, ...delays];
  }
  return next.optional ? match(rest, seen, previous) : undefined;
}
