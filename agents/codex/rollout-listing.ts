import path from 'node:path';
import { namesIn, type ReadProblem, type StampedFile, tryStampOf } from '../files/stamped-file.ts';

/** A rollout found on disk. */
export interface RolloutFile extends StampedFile {
  threadId: string;
  archived: boolean;
  /** A `.jsonl.zst`: its lines cannot be read here. */
  compressed: boolean;
}

const NAME = /^rollout-.+-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(\.zst)?$/i;

/**
 * Every rollout under `sessions/YYYY/MM/DD` and `archived_sessions`, at one stat each. Nothing is opened.
 *
 * @param codexHome `~/.codex`, or what `CODEX_HOME` names
 */
export function listRollouts(codexHome: string, problems: ReadProblem[]): RolloutFile[] {
  const found: RolloutFile[] = [];
  const sessions = path.join(codexHome, 'sessions');
  for (const day of dayFolders(sessions, problems)) collect(day, false, found, problems);
  collect(path.join(codexHome, 'archived_sessions'), true, found, problems);
  return found;
}

function dayFolders(sessions: string, problems: ReadProblem[]): string[] {
  let level = [sessions];
  for (let depth = 0; depth < 3; depth++) {
    level = level.flatMap((folder) =>
      namesIn(folder, problems)
        .filter((name) => /^\d+$/.test(name))
        .map((name) => path.join(folder, name)),
    );
  }
  return level;
}

function collect(folder: string, archived: boolean, found: RolloutFile[], problems: ReadProblem[]): void {
  for (const name of namesIn(folder, problems)) {
    const match = NAME.exec(name);
    if (match?.[1] === undefined) continue;
    const stamp = tryStampOf(`${folder}${path.sep}${name}`, problems);
    if (stamp === undefined) continue;
    found.push({
      ...stamp,
      threadId: match[1].toLowerCase(),
      archived,
      compressed: match[2] !== undefined,
    });
  }
}
