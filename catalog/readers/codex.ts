import { readRollout } from '../../agents/codex/rollout-file.ts';
import { visitRollouts } from '../../agents/codex/rollout-listing.ts';
import { lastTypedTimes, readThreadNames } from '../../agents/codex/session-index.ts';
import { readThreadRows, type ThreadRow } from '../../agents/codex/state-database.ts';
import type { ReadProblem } from '../../agents/files/stamped-file.ts';
import { withoutCredentials } from '../../agents/git-remotes.ts';
import type { AgentCommands } from '../live/agent-commands.ts';
import type { Liveness } from '../live/liveness.ts';
import type { ThreadLocks } from '../live/thread-locks.ts';
import type { Candidate, ResumeSpec, SessionRecord } from '../session.ts';
import type { Listing, Overlay, SessionReader } from './reader.ts';
import { bestTitle, HISTORY_SLACK_MS, LISTING_LIMITS, promptFields } from './record.ts';

export interface CodexReaderOptions {
  codexHome: string;
  /** Where the state database lies: `CODEX_SQLITE_HOME`, else the home. */
  databaseFolder: string;
  /** Variables that lead to this home, or undefined for the default one. */
  env: Record<string, string> | undefined;
  locks: () => ThreadLocks;
  commands: () => AgentCommands;
  /** Off: as on a Node without `node:sqlite`. */
  useDatabase?: boolean;
}

/**
 * Codex's sessions. The folders say what exists; the state database, or `session_index.jsonl` where there is none, says
 * how threads are named and which of them are subagents; prompts and times come from the rollouts.
 */
export class CodexReader implements SessionReader {
  readonly harness = 'codex';
  readonly #options: CodexReaderOptions;
  readonly #archived = new Set<string>();
  readonly #compressed = new Set<string>();
  #rows = new Map<string, ThreadRow>();
  #names: Map<string, string> | undefined;
  #typed: Map<string, number> | undefined;
  #locks: ThreadLocks | undefined;
  #commands: AgentCommands | undefined;

  constructor(options: CodexReaderOptions) {
    this.#options = options;
  }

  list(): Listing {
    const listing: Listing = { candidates: [], problems: [] };
    this.#readDatabase(listing.problems);
    visitRollouts(this.#options.codexHome, listing.problems, (id, path, { size, writtenAt }, place) => {
      if (this.#rows.get(id)?.isSubagent) return;
      if (place.archived) this.#archived.add(path);
      if (place.compressed) this.#compressed.add(path);
      listing.candidates.push({ harness: this.harness, id, path, size, writtenAt });
    });
    return listing;
  }

  #readDatabase(problems: ReadProblem[]): void {
    if (this.#options.useDatabase === false) return;
    const outcome = readThreadRows(this.#options.databaseFolder);
    if (outcome.kind === 'read') this.#rows = outcome.threads;
    if (outcome.kind === 'failed') problems.push({ path: outcome.file, code: outcome.reason });
  }

  read(candidate: Candidate): SessionRecord | null {
    if (this.#compressed.has(candidate.path)) return { recentPrompts: [], hasPrompt: false };
    const { meta, ...found } = readRollout(candidate.path, candidate.size, LISTING_LIMITS);
    if (meta !== undefined && meta.source === undefined) return null;
    return {
      cwd: meta?.cwd,
      createdAt: meta?.startedAt,
      lastActivityAt: found.lastActivityAt,
      ...bestTitle([found.firstPrompt, 'first-prompt']),
      ...promptFields(found.prompts, meta?.forkedFrom === undefined ? undefined : meta.startedAt),
      // A fork begins with its parent's history, by reference: it can be resumed before its own first prompt.
      hasPrompt: found.firstPrompt !== undefined || meta?.forkedFrom !== undefined,
      gitUrl: meta?.gitUrl === undefined ? undefined : withoutCredentials(meta.gitUrl),
      gitBranch: meta?.gitBranch,
      origin: meta?.source,
      forkedFrom: meta?.forkedFrom,
    };
  }

  overlay(candidate: Candidate, record: SessionRecord): Overlay {
    this.#names ??= readThreadNames(this.#options.codexHome);
    this.#typed ??= lastTypedTimes(this.#options.codexHome);
    const row = this.#rows.get(candidate.id);
    const typedAt = this.#typed.get(candidate.id);
    const title = bestTitle(
      [row?.name ?? this.#names.get(candidate.id), 'thread-name'],
      [record.title ?? row?.firstPrompt, 'first-prompt'],
    );
    const isLater = typedAt !== undefined && typedAt > (record.lastHumanActivityAt ?? 0) + HISTORY_SLACK_MS;
    return {
      record: {
        ...record,
        ...title,
        cwd: record.cwd ?? row?.cwd,
        hasPrompt: record.hasPrompt || row?.firstPrompt !== undefined,
        lastHumanActivityAt: isLater ? typedAt : record.lastHumanActivityAt,
      },
      ...(this.#archived.has(candidate.path) ? { archived: true } : {}),
    };
  }

  liveness(id: string): Liveness {
    this.#locks ??= this.#options.locks();
    const lock = this.#locks.liveness(id);
    if (lock.kind !== 'unknown') return lock;
    this.#commands ??= this.#options.commands();
    return this.#commands.liveness(id);
  }

  resumeSpec(candidate: Candidate, overlay: Overlay, cwd: string): ResumeSpec {
    const { env } = this.#options;
    return {
      command: ['codex', 'resume', candidate.id],
      cwd,
      // An archived thread is refused by `codex resume`.
      ...(overlay.archived ? { prepare: [['codex', 'unarchive', candidate.id]] } : {}),
      ...(env === undefined ? {} : { env }),
    };
  }
}
