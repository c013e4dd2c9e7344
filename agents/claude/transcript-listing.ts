import path from 'node:path';
import { type FileVisitor, namesIn, type ReadProblem, stampOf } from '../files/stamped-file.ts';

const EXTENSION = '.jsonl';
/** Older versions put a subagent's transcript beside its parent's. */
const SUBAGENT_PREFIX = 'agent-';

/**
 * Visits every transcript under `projects/<folder>/<session id>.jsonl`, exactly two levels deep, at one stat each.
 * Nothing is opened. The folder's name is a lossy form of the cwd and is not decoded.
 */
export function visitTranscripts(projects: string, problems: ReadProblem[], visit: FileVisitor): void {
  for (const project of namesIn(projects, problems)) {
    const folder = path.join(projects, project);
    for (const name of namesIn(folder, problems)) {
      if (!name.endsWith(EXTENSION) || name === EXTENSION || name.startsWith(SUBAGENT_PREFIX)) continue;
      const file = `${folder}${path.sep}${name}`;
      const stamp = stampOf(file, problems);
      if (stamp !== undefined) visit(name.slice(0, -EXTENSION.length), file, stamp);
    }
  }
}

/** The transcripts of a session's subagents, which lie in a folder beside it. */
export function listSubagentTranscripts(transcript: string, problems: ReadProblem[]): string[] {
  const folder = path.join(transcript.slice(0, -EXTENSION.length), 'subagents');
  return namesIn(folder, problems)
    .filter((name) => name.endsWith(EXTENSION))
    .map((name) => path.join(folder, name));
}
