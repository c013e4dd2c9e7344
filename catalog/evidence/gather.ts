import path from 'node:path';
import { listSubagentTranscripts } from '../../agents/claude/transcript-listing.ts';
import { TranscriptTraces } from '../../agents/claude/transcript-traces.ts';
import { RolloutTraces } from '../../agents/codex/rollout-traces.ts';
import { readTraces, type TraceLimits } from '../../agents/files/read-traces.ts';
import type { TraceReader } from '../../agents/files/trace.ts';
import { PiSessionTraces } from '../../agents/pi/session-traces.ts';
import type { RepoIndex, Repository } from '../repo-index.ts';
import type { Session } from '../session.ts';
import { type WorkRefExtractor, type WorkRefResolver, withTitles } from '../work-refs.ts';
import { type Evidence, EvidenceCollector } from './evidence.ts';

export interface EvidenceSources {
  repositories: RepoIndex;
  workRefs: WorkRefExtractor;
  resolver?: WorkRefResolver | undefined;
}

/** Folders of touched files that are mapped to repositories, at most. */
const FOLDER_LIMIT = 300;

/** Limits of one gathering. @param ms how long reading may take. @param bytes how much is read in all */
export function traceLimits(ms: number, bytes: number): TraceLimits {
  const end = performance.now() + ms;
  return { bytes, isOver: () => performance.now() > end };
}

/**
 * Reads a session's whole conversation, as far as the limits go, for what it touched: repositories, files, commits, work
 * references. A lower bound. A file that cannot be read leaves the evidence incomplete, not missing.
 */
export async function gatherEvidence(
  session: Session,
  sources: EvidenceSources,
  limits: TraceLimits,
): Promise<Evidence> {
  const collector = new EvidenceCollector();
  collector.text('title', session.title);
  collector.text('branch', session.gitBranch);
  collector.text('cwd', session.cwd);
  let complete = true;
  for (const [file, reader] of conversationOf(session)) {
    complete = readOne(file, reader, limits, collector) && complete;
  }
  return {
    lowerBound: true,
    complete: complete && !collector.isFull,
    repositories: await repositoriesOf(session, collector, sources.repositories),
    files: collector.files,
    commits: collector.commits,
    workRefs: await withTitles(sources.workRefs.extract(collector.texts), sources.resolver),
  };
}

function readOne(
  file: string,
  reader: TraceReader,
  limits: TraceLimits,
  collector: EvidenceCollector,
): boolean {
  try {
    return readTraces(file, reader, limits, (trace) => collector.take(trace));
  } catch {
    return false;
  }
}

/** The session's own file and, with Claude, those of its subagents. */
function* conversationOf({ harness, transcript }: Session): Generator<[string, TraceReader]> {
  switch (harness) {
    case 'claude-code':
      yield [transcript, new TranscriptTraces()];
      for (const file of listSubagentTranscripts(transcript, [])) yield [file, new TranscriptTraces()];
      return;
    case 'codex':
      return yield [transcript, new RolloutTraces()];
    case 'pi':
      return yield [transcript, new PiSessionTraces()];
  }
}

async function repositoriesOf(
  session: Session,
  collector: EvidenceCollector,
  index: RepoIndex,
): Promise<Repository[]> {
  const folders = new Set(session.cwd === undefined ? [] : [session.cwd]);
  for (const { path: file } of collector.files) {
    if (folders.size >= FOLDER_LIMIT) break;
    folders.add(path.dirname(file));
  }
  const found = await Promise.all([...folders].map((folder) => index.resolve(folder)));
  const byFolder = new Map(
    found.flatMap((repository) => (repository ? [[repository.folder, repository]] : [])),
  );
  return [...byFolder.values()];
}
