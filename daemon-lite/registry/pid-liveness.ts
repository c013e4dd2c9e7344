import type { PidAction, ProcessTokens } from './api.ts';
import type { SessionRow } from './session-row.ts';

/** A row whose owner is a process of this machine's pid namespace. */
interface Candidate {
  row: SessionRow;
  pid: number;
}

function candidates(rows: Iterable<SessionRow>): Candidate[] {
  const found: Candidate[] = [];
  for (const row of rows) {
    const owner = row.ownership.owner;
    if (!row.ended && owner !== undefined && owner.namespace === undefined)
      found.push({ row, pid: owner.pid });
  }
  return found;
}

/** The pids to look up in a poll. */
export function watchedPids(rows: Iterable<SessionRow>): number[] {
  return [...new Set(candidates(rows).map(({ pid }) => pid))];
}

/**
 * Judges one poll of the process table: which sessions ended with their process, and which are kept because it lives
 * (docs/protocol.md, "Pid watcher"). A pid never seen alive proves nothing when it is gone: it may have been the shell of
 * one hook. Remembers on the rows what it saw.
 *
 * @param seenAlive the watched pids that the last poll found alive; holds those of this poll afterwards. A process may
 *   have begun another session since (`/clear`).
 */
export function judgePids(
  rows: Iterable<SessionRow>,
  processes: ProcessTokens,
  orphans: ReadonlySet<number>,
  seenAlive: Set<number>,
): PidAction[] {
  const all = candidates(rows);
  for (const { row, pid } of all) if (seenAlive.has(pid)) row.ownership.seenAlive = true;
  seenAlive.clear();
  for (const { pid } of all) if (processes.has(pid)) seenAlive.add(pid);
  return all.flatMap(({ row, pid }) => {
    const action = judgePid(row, pid, processes, all);
    if (action === 'confirm' && orphans.has(pid)) return [];
    return action === undefined ? [] : [{ action, session_id: row.id }];
  });
}

function judgePid(
  row: SessionRow,
  pid: number,
  processes: ProcessTokens,
  all: readonly Candidate[],
): PidAction['action'] | undefined {
  const { ownership } = row;
  const token = processes.get(pid);
  if (token === undefined) return ownership.seenAlive ? 'end' : undefined;
  ownership.seenAlive = true;
  if (token === null) return undefined;
  if (ownership.token !== undefined && ownership.token !== token) return 'end';
  ownership.token = token;
  if (!row.prompted || ownership.streamed) return undefined;
  return isMostRecent(row, pid, all) ? 'confirm' : undefined;
}

/** `/clear` starts another session in the same process: only the one last active under the pid is kept. */
function isMostRecent(row: SessionRow, pid: number, all: readonly Candidate[]): boolean {
  return all.every(
    (other) => other.pid !== pid || other.row === row || other.row.lastSeenAwake <= row.lastSeenAwake,
  );
}
