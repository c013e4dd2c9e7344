import type { Trace } from '../../agents/files/trace.ts';
import type { Repository } from '../repo-index.ts';
import type { WorkRef, WorkRefSource } from '../work-refs.ts';

/** A file the session read or wrote through its own tools. */
export interface TouchedFile {
  path: string;
  /** `written` also when it was read. */
  access: 'read' | 'written';
}

export interface Commit {
  sha: string;
  branch?: string;
  subject?: string;
}

/**
 * What a session touched, as far as was seen. A shell command can change files without leaving a path to extract: what is
 * missing here was not observed, not proven untouched.
 */
export interface Evidence {
  lowerBound: true;
  /** True when the whole conversation was read, its subagents' included. */
  complete: boolean;
  repositories: Repository[];
  files: TouchedFile[];
  commits: Commit[];
  workRefs: WorkRef[];
}

/** Kept of each kind at most. */
const LIMITS = { files: 2_000, commits: 1_000, texts: 5_000 };
/** Looked at of one text. */
const TEXT_LIMIT = 8_192;

/** Gathers the traces of one session. */
export class EvidenceCollector {
  readonly #files = new Map<string, TouchedFile>();
  readonly #commits = new Map<string, Commit>();
  readonly #texts: WorkRefSource[] = [];
  #isFull = false;

  take(trace: Trace): void {
    switch (trace.kind) {
      case 'file':
        this.#takeFile(trace.path, trace.access);
        return this.text('file', trace.path);
      case 'commit':
        this.#takeCommit(trace);
        return this.text('commit', trace.subject ?? '');
      default:
        return this.text(trace.kind, trace.text);
    }
  }

  /** A text to look for work references in. */
  text(place: string, text: string | undefined): void {
    if (text === undefined || text === '') return;
    if (this.#texts.length >= LIMITS.texts) this.#isFull = true;
    else this.#texts.push({ place, text: text.slice(0, TEXT_LIMIT) });
  }

  #takeFile(path: string, access: TouchedFile['access']): void {
    const known = this.#files.get(path);
    if (known?.access === 'written') return;
    if (known === undefined && this.#files.size >= LIMITS.files) this.#isFull = true;
    else this.#files.set(path, { path, access });
  }

  #takeCommit({ sha, branch, subject }: Commit): void {
    if (this.#commits.has(sha)) return;
    if (this.#commits.size >= LIMITS.commits) this.#isFull = true;
    else {
      this.#commits.set(sha, {
        sha,
        ...(branch === undefined ? {} : { branch }),
        ...(subject === undefined ? {} : { subject }),
      });
    }
  }

  /** True when something was left out for lack of room. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get files(): TouchedFile[] {
    return [...this.#files.values()];
  }

  get commits(): Commit[] {
    return [...this.#commits.values()];
  }

  get texts(): readonly WorkRefSource[] {
    return this.#texts;
  }
}
