import type { SessionState } from '../../../contract/events.ts';
import { WorktreePaths } from './worktree-paths.ts';

/** How many sessions of a row work, wait on you, or are idle. */
export interface Tally {
  working: number;
  waiting: number;
  idle: number;
}

/** What a tally reads of a `list` entry. A state word of a newer daemon counts nowhere. */
export interface TalliedSession {
  state: SessionState | (string & {});
  cwd?: string;
}

/** The bucket of a state; `starting` is idle (nothing was asked yet), `ended` and unknown words are none. */
export function bucketOf(state: string): keyof Tally | undefined {
  switch (state) {
    case 'working':
      return 'working';
    case 'waiting_for_input':
    case 'waiting_for_permission':
      return 'waiting';
    case 'idle':
    case 'starting':
      return 'idle';
    default:
      return undefined;
  }
}

export function emptyTally(): Tally {
  return { working: 0, waiting: 0, idle: 0 };
}

/** The sum of several tallies: what a repository's row shows for its worktrees. */
export function sumTallies(tallies: Iterable<Tally>): Tally {
  const sum = emptyTally();
  for (const tally of tallies) {
    sum.working += tally.working;
    sum.waiting += tally.waiting;
    sum.idle += tally.idle;
  }
  return sum;
}

/**
 * Counts sessions per worktree path. A session belongs to the longest path that contains its cwd; ended sessions and
 * those without a cwd or outside every path count nowhere. Paths without a session have no key.
 */
export function tallySessions(
  sessions: readonly TalliedSession[],
  paths: readonly string[],
): Map<string, Tally> {
  const worktrees = new WorktreePaths(paths);
  const tallies = new Map<string, Tally>();
  for (const session of sessions) {
    const bucket = bucketOf(session.state);
    const path = bucket && worktrees.containing(session.cwd);
    if (bucket === undefined || path === undefined) continue;
    const tally = tallies.get(path) ?? emptyTally();
    tally[bucket] += 1;
    tallies.set(path, tally);
  }
  return tallies;
}

export function sameTally(left: Tally, right: Tally): boolean {
  return left.working === right.working && left.waiting === right.waiting && left.idle === right.idle;
}

/** True when two results of {@link tallySessions} say the same: then nothing needs to be drawn again. */
export function sameTallies(left: ReadonlyMap<string, Tally>, right: ReadonlyMap<string, Tally>): boolean {
  if (left.size !== right.size) return false;
  for (const [path, tally] of left) {
    const other = right.get(path);
    if (other === undefined || !sameTally(tally, other)) return false;
  }
  return true;
}
