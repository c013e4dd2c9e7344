import { lastTypedTimes } from '../../agents/claude/history.ts';
import type { ClaudeHome } from '../../agents/claude/home.ts';
import { readTranscript } from '../../agents/claude/transcript-file.ts';
import { visitTranscripts } from '../../agents/claude/transcript-listing.ts';
import type { ClaudeProcesses } from '../live/claude-processes.ts';
import type { Liveness } from '../live/liveness.ts';
import type { Candidate, ResumeSpec, SessionRecord } from '../session.ts';
import type { Listing, Overlay, SessionReader } from './reader.ts';
import { bestTitle, HISTORY_SLACK_MS, LISTING_LIMITS, promptFields } from './record.ts';

export interface ClaudeReaderOptions {
  home: ClaudeHome;
  /** The value `CLAUDE_CONFIG_DIR` must have to find this home, or undefined for the default one. */
  configDir: string | undefined;
  /** Read when the first session is asked about. */
  processes: () => ClaudeProcesses;
}

/** Claude Code's sessions: the transcripts under `projects`. */
export class ClaudeReader implements SessionReader {
  readonly harness = 'claude-code';
  readonly #options: ClaudeReaderOptions;
  #typed: Map<string, number> | undefined;
  #processes: ClaudeProcesses | undefined;

  constructor(options: ClaudeReaderOptions) {
    this.#options = options;
  }

  list(): Listing {
    const listing: Listing = { candidates: [], problems: [] };
    visitTranscripts(this.#options.home.projects, listing.problems, (id, path, { size, writtenAt }) => {
      listing.candidates.push({ harness: this.harness, id, path, size, writtenAt });
    });
    return listing;
  }

  read(candidate: Candidate): SessionRecord | null {
    const found = readTranscript(candidate.path, candidate.size, LISTING_LIMITS);
    if (found.subagentOnly) return null;
    return {
      cwd: found.cwd,
      createdAt: found.startedAt,
      lastActivityAt: found.lastActivityAt,
      ...bestTitle(
        [found.customTitle, 'custom'],
        [found.generatedTitle, 'generated'],
        [found.firstPrompt, 'first-prompt'],
      ),
      ...promptFields(found.prompts, found.forkedFrom === undefined ? undefined : found.startedAt),
      hasPrompt: found.firstPrompt !== undefined,
      gitBranch: found.gitBranch === 'HEAD' ? undefined : found.gitBranch,
      origin: found.entrypoint,
      forkedFrom: found.forkedFrom,
      continues: found.continues,
    };
  }

  /** Terminal prompts are also in a history of their own, which a long turn does not push out of reach. */
  overlay(candidate: Candidate, record: SessionRecord): Overlay {
    this.#typed ??= lastTypedTimes(this.#options.home.history);
    const typedAt = this.#typed.get(candidate.id);
    const isLater = typedAt !== undefined && typedAt > (record.lastHumanActivityAt ?? 0) + HISTORY_SLACK_MS;
    return { record: isLater ? { ...record, lastHumanActivityAt: typedAt } : record };
  }

  liveness(id: string): Liveness {
    this.#processes ??= this.#options.processes();
    return this.#processes.liveness(id);
  }

  resumeSpec(candidate: Candidate, _overlay: Overlay, cwd: string): ResumeSpec {
    const { configDir } = this.#options;
    return {
      command: ['claude', '--resume', candidate.id],
      cwd,
      ...(configDir === undefined ? {} : { env: { CLAUDE_CONFIG_DIR: configDir } }),
    };
  }
}
