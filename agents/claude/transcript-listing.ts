import path from 'node:path';
import { namesIn, type ReadProblem, type StampedFile, tryStampOf } from '../files/stamped-file.ts';

/** A transcript found in the projects folder. */
export interface TranscriptFile extends StampedFile {
  sessionId: string;
}

const EXTENSION = '.jsonl';
/** Older versions put a subagent's transcript beside its parent's. */
const SUBAGENT_PREFIX = 'agent-';

/**
 * Every transcript under `projects/<folder>/<session id>.jsonl`, exactly two levels deep, at one stat each. Nothing is
 * opened. The folder's name is a lossy form of the cwd and is not decoded.
 */
export function listTranscripts(projects: string, problems: ReadProblem[]): TranscriptFile[] {
  const found: TranscriptFile[] = [];
  for (const project of namesIn(projects, problems)) {
    const folder = path.join(projects, project);
    for (const name of namesIn(folder, problems)) {
      if (!name.endsWith(EXTENSION) || name === EXTENSION || name.startsWith(SUBAGENT_PREFIX)) continue;
      const stamp = tryStampOf(`${folder}${path.sep}${name}`, problems);
      if (stamp !== undefined) found.push({ ...stamp, sessionId: name.slice(0, -EXTENSION.length) });
    }
  }
  return found;
}

/** The transcripts of a session's subagents, which lie in a folder beside it. */
export function listSubagentTranscripts(transcript: string, problems: ReadProblem[]): string[] {
  const folder = path.join(transcript.slice(0, -EXTENSION.length), 'subagents');
  return namesIn(folder, problems)
    .filter((name) => name.endsWith(EXTENSION))
    .map((name) => path.join(folder, name));
}
