import { isWaiting, type SessionState } from './events.ts';

/** How many sessions are in which group of states. */
export interface StateTally {
  working: number;
  waiting: number;
  /** Everything else: idle, starting and ended. */
  idle: number;
}

/** Counts states by group. A state that is not known counts as idle, like every state that asks for nothing. */
export function tallyStates(states: readonly string[]): StateTally {
  const tally: StateTally = { working: 0, waiting: 0, idle: 0 };
  for (const state of states) tally[groupOf(state)] += 1;
  return tally;
}

/** The status text of the contract: `N session(s): X working, Y waiting, Z idle`, or `0 session(s)`. */
export function summarizeStates(states: readonly string[]): string {
  if (states.length === 0) return '0 session(s)';
  const { working, waiting, idle } = tallyStates(states);
  return `${states.length} session(s): ${working} working, ${waiting} waiting, ${idle} idle`;
}

function groupOf(state: string): keyof StateTally {
  if (state === 'working') return 'working';
  return isWaiting(state as SessionState) ? 'waiting' : 'idle';
}
