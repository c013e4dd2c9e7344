import { readPiSession } from '../../agents/pi/session-file.ts';
import { visitPiSessions } from '../../agents/pi/session-listing.ts';
import type { AgentCommands } from '../live/agent-commands.ts';
import { ABSENT, type Liveness } from '../live/liveness.ts';
import type { Candidate, ResumeSpec, SessionRecord } from '../session.ts';
import type { Listing, Overlay, SessionReader } from './reader.ts';
import { bestTitle, LISTING_LIMITS, promptFields } from './record.ts';

export interface PiReaderOptions {
  /** The folder of session files. */
  folder: string;
  /** Variables that lead to this folder, or undefined for the default one. */
  env: Record<string, string> | undefined;
  commands: () => AgentCommands;
}

/** pi's sessions. pi keeps no record of what lives: only the absence of every pi process proves anything. */
export class PiReader implements SessionReader {
  readonly harness = 'pi';
  readonly #options: PiReaderOptions;
  #commands: AgentCommands | undefined;

  constructor(options: PiReaderOptions) {
    this.#options = options;
  }

  list(): Listing {
    const listing: Listing = { candidates: [], problems: [] };
    visitPiSessions(this.#options.folder, listing.problems, (id, path, { size, writtenAt }) => {
      listing.candidates.push({ harness: this.harness, id, path, size, writtenAt });
    });
    return listing;
  }

  read(candidate: Candidate): SessionRecord | null {
    const found = readPiSession(candidate.path, candidate.size, LISTING_LIMITS);
    return {
      cwd: found.cwd,
      createdAt: found.startedAt,
      lastActivityAt: found.lastActivityAt,
      ...bestTitle([found.name, 'custom'], [found.firstPrompt, 'first-prompt']),
      ...promptFields(found.prompts, found.forkedFrom === undefined ? undefined : found.startedAt),
      hasPrompt: found.firstPrompt !== undefined,
      forkedFrom: found.forkedFrom,
    };
  }

  overlay(_candidate: Candidate, record: SessionRecord): Overlay {
    return { record };
  }

  liveness(id: string): Liveness {
    this.#commands ??= this.#options.commands();
    return this.#commands.none ? ABSENT : this.#commands.liveness(id);
  }

  resumeSpec(candidate: Candidate, _overlay: Overlay, cwd: string): ResumeSpec {
    const { env } = this.#options;
    return {
      // By path: pi looks an id up among the sessions of the current directory first.
      command: ['pi', '--session', candidate.path],
      cwd,
      ...(env === undefined ? {} : { env }),
    };
  }
}
