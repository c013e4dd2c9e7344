import path from 'node:path';
import { type FileStamp, namesIn, type ReadProblem, stampOf } from '../files/stamped-file.ts';

/** What a rollout's place and name say beside its thread. */
export interface RolloutPlace {
  archived: boolean;
  /** A `.jsonl.zst`: its lines cannot be read here. */
  compressed: boolean;
}

export type RolloutVisitor = (threadId: string, path: string, stamp: FileStamp, place: RolloutPlace) => void;

const NAME = /^rollout-.+-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(\.zst)?$/i;

/**
 * Visits every rollout under `sessions/YYYY/MM/DD` and `archived_sessions`, at one stat each. Nothing is opened.
 *
 * @param codexHome `~/.codex`, or what `CODEX_HOME` names
 */
export function visitRollouts(codexHome: string, problems: ReadProblem[], visit: RolloutVisitor): void {
  for (const day of dayFolders(path.join(codexHome, 'sessions'), problems)) {
    visitFolder(day, false, problems, visit);
  }
  visitFolder(path.join(codexHome, 'archived_sessions'), true, problems, visit);
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

function visitFolder(
  folder: string,
  archived: boolean,
  problems: ReadProblem[],
  visit: RolloutVisitor,
): void {
  for (const name of namesIn(folder, problems)) {
    const match = NAME.exec(name);
    if (match?.[1] === undefined) continue;
    const file = `${folder}${path.sep}${name}`;
    const stamp = stampOf(file, problems);
    if (stamp === undefined) continue;
    visit(match[1].toLowerCase(), file, stamp, { archived, compressed: match[2] !== undefined });
  }
}
