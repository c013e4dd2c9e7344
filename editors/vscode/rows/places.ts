import type { SessionEntry } from '../../../contract/messages.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import { WorktreePaths } from '../cues/worktree-paths.ts';
import type { Worktree } from '../worktrees/worktree.ts';

/** Root of the place of sessions that report no directory. */
export const NO_DIRECTORY = '';

/** One worktree, or directory outside every repository, with its live sessions. */
export interface Place {
  root: string;
  repositoryId: string;
  repositoryLabel: string;
  sessions: SessionEntry[];
}

/**
 * Sorts sessions into places: repositories by name, their worktrees by path, the sessions of each by start time. The
 * order depends on nothing that changes while a session runs, so no row jumps while it is read.
 */
export function placesOf(
  live: readonly SessionEntry[],
  locate: (cwd: string) => Worktree | undefined,
): Place[] {
  const byRoot = new Map<string, Place>();
  for (const session of live) {
    const worktree = session.cwd ? locate(session.cwd) : undefined;
    const root = worktree?.root ?? session.cwd ?? NO_DIRECTORY;
    if (!byRoot.has(root)) byRoot.set(root, emptyPlace(root, session, worktree));
  }
  const paths = new WorktreePaths([...byRoot.keys()].filter((root) => root !== NO_DIRECTORY));
  for (const session of live) {
    const root = paths.containing(session.cwd) ?? session.cwd ?? NO_DIRECTORY;
    byRoot.get(root)?.sessions.push(session);
  }
  const places = [...byRoot.values()].filter(({ sessions }) => sessions.length > 0);
  for (const { sessions } of places) sessions.sort(byStart);
  return places.sort(byRepositoryAndPath);
}

/** A repository that could not be located goes by the name the daemon gave it. */
function emptyPlace(root: string, session: SessionEntry, worktree: Worktree | undefined): Place {
  const named = session.repo === undefined ? '' : sanitize(session.repo);
  const label = worktree === undefined ? named : sanitize(worktree.repository);
  return {
    root,
    repositoryId: `repository:${worktree?.commonDir ?? named}`,
    repositoryLabel: label || 'No repository',
    sessions: [],
  };
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function byRepositoryAndPath(left: Place, right: Place): number {
  return (
    compare(left.repositoryLabel, right.repositoryLabel) ||
    compare(left.repositoryId, right.repositoryId) ||
    compare(left.root, right.root)
  );
}

function byStart(left: SessionEntry, right: SessionEntry): number {
  return compare(left.started_at ?? '', right.started_at ?? '') || compare(left.session_id, right.session_id);
}
