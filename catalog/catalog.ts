import { guessLastActivity } from '../agents/files/last-timestamp.ts';
import type { ReadProblem } from '../agents/files/stamped-file.ts';
import { normalizeRemote } from '../agents/git-remotes.ts';
import { systemErrorCode } from '../contract/errors.ts';
import type { RecordCache } from './cache.ts';
import { composeSession, linkSessions } from './compose.ts';
import type { RegistryWords } from './live/registry.ts';
import { NewestFiles } from './newest-files.ts';
import { NewestFirst } from './newest-first.ts';
import { type CatalogQuery, passesFilters } from './query.ts';
import type { SessionReader } from './readers/reader.ts';
import type { RepoIndex } from './repo-index.ts';
import { matchIds, type Selection } from './select.ts';
import type { Candidate, Harness, Session, SessionRecord } from './session.ts';
import { searchText } from './words.ts';

/** A part of the catalog that could not be read. The sessions that were read are there all the same. */
export interface CatalogProblem {
  harness: Harness;
  path?: string;
  reason: string;
}

export interface CatalogResult {
  /** Newest first. */
  sessions: Session[];
  errors: CatalogProblem[];
}

export interface CatalogParts {
  readers: readonly SessionReader[];
  cache: RecordCache;
  repositories: RepoIndex;
  /** Asked once, when the first session is composed. */
  registry: () => Promise<RegistryWords>;
  /** Wall clock, ms since 1970. */
  wall(): number;
}

/** Opened beyond a full page before the files' times are no longer believed to give the order. */
const LOOK_AHEAD = 200;
/** A guess at a session's last activity may be this much too early. */
const GUESS_SLACK_MS = 60_000;
/** How many sessions are read before other work of the program gets its turn. */
const BATCH = 64;

/** Merges the sessions of every harness, newest first, opening only what is asked for. */
export class Catalog {
  readonly #parts: CatalogParts;
  readonly #readers: ReadonlyMap<Harness, SessionReader>;
  readonly #problems: CatalogProblem[] = [];
  #files: NewestFiles | undefined;
  #registry: RegistryWords | undefined;

  constructor(parts: CatalogParts) {
    this.#parts = parts;
    this.#readers = new Map(parts.readers.map((reader) => [reader.harness, reader]));
  }

  /** What could not be read so far. */
  get problems(): readonly CatalogProblem[] {
    return this.#problems;
  }

  /** Every session file, one per session. Nothing is opened; looked up once. */
  files(): NewestFiles {
    this.#files ??= new NewestFiles(this.#parts.readers.map((reader) => this.#list(reader)));
    return this.#files;
  }

  /**
   * The newest sessions that fit a query.
   *
   * @param limit how many; Infinity for all
   * @param alsoFits a further test, for what needs more than the session's own fields; asked last
   */
  async find(
    query: CatalogQuery,
    limit: number,
    alsoFits: (session: Session) => boolean | Promise<boolean> = () => true,
  ): Promise<CatalogResult> {
    const page = new NewestFirst<{ at: number; session: Session }>(
      query.words.length > 0 ? Number.POSITIVE_INFINITY : limit,
    );
    for await (const candidate of this.#inOrder(query, page)) {
      const session = await this.open(candidate);
      if (session === undefined || !passesFilters(session, query) || !(await alsoFits(session))) continue;
      page.add({ at: Date.parse(session.lastActivityAt), session });
    }
    const sorted = page.items.map(({ session }) => session);
    const found = query.words.length === 0 ? sorted : await searchIn(sorted, query.words);
    return { sessions: linkSessions(found.slice(0, limit)), errors: [...this.#problems] };
  }

  /**
   * The files to open for a page, until nothing that is left can be on it. Files are written when something happens, so
   * their times give the order. Where they do not (a home that was copied), the ends of the others are looked at.
   */
  async *#inOrder(query: CatalogQuery, page: NewestFirst<{ at: number }>): AsyncGenerator<Candidate> {
    const files = this.#eligible(query);
    let beyond = 0;
    for (const candidate of files) {
      if (page.isCompleteAt(candidate.writtenAt)) return;
      if (page.isFull && ++beyond > LOOK_AHEAD) {
        yield* this.#byActivity([candidate, ...files], page);
        return;
      }
      yield candidate;
    }
  }

  *#byActivity(candidates: readonly Candidate[], page: NewestFirst<{ at: number }>): Generator<Candidate> {
    const now = this.#parts.wall();
    const guessed = candidates.map((candidate) => {
      const at = Math.min(this.#guessActivity(candidate), candidate.writtenAt, now);
      return { candidate, at };
    });
    for (const { candidate, at } of guessed.sort((a, b) => b.at - a.at)) {
      if (page.isCompleteAt(at + GUESS_SLACK_MS)) return;
      yield candidate;
    }
  }

  #guessActivity(candidate: Candidate): number {
    const known = this.#parts.cache.activity(candidate);
    if (known !== undefined) return known;
    const guess = guessLastActivity(candidate.path, candidate.size) ?? candidate.writtenAt;
    this.#parts.cache.put(candidate, guess);
    return guess;
  }

  /** The files that a query does not rule out by themselves, newest first. */
  *#eligible({ harness, since }: Pick<CatalogQuery, 'harness' | 'since'>): Generator<Candidate> {
    for (const candidate of this.files().newestFirst()) {
      if (since !== undefined && candidate.writtenAt < since) return;
      if (harness === undefined || candidate.harness === harness) yield candidate;
    }
  }

  /** Every session that is not ruled out by its file alone, by the time its file was written, newest first. */
  async *walk(
    query: Pick<CatalogQuery, 'harness' | 'since'>,
  ): AsyncGenerator<{ session: Session; candidate: Candidate }> {
    let sinceTurn = 0;
    for (const candidate of this.#eligible(query)) {
      const session = await this.open(candidate);
      if (session !== undefined) yield { session, candidate };
      if (++sinceTurn % BATCH === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The session of a file, or undefined when it holds none or cannot be read; then a problem is noted. */
  async open(candidate: Candidate): Promise<Session | undefined> {
    const reader = this.#readers.get(candidate.harness);
    const record = reader === undefined ? undefined : this.#record(reader, candidate);
    if (reader === undefined || record === undefined) return undefined;
    this.#registry ??= await this.#parts.registry();
    const now = this.#parts.wall();
    return composeSession({
      candidate,
      record,
      reader,
      registry: this.#registry.liveness(candidate.id),
      repository: await this.#repositoryOf(record),
      now,
    });
  }

  /** The one session an id or a unique part of its beginning means. */
  select(reference: string): Selection {
    return matchIds([...this.files().newestFirst()], reference);
  }

  /** Keeps what was read for the next run. */
  save(): void {
    this.#parts.cache.save(() => new Set(this.files().all.map((candidate) => candidate.path)));
  }

  #list(reader: SessionReader): Candidate[] {
    try {
      const { candidates, problems } = reader.list();
      for (const problem of problems) this.#note(reader.harness, problem);
      return candidates;
    } catch (error) {
      this.#problems.push({ harness: reader.harness, reason: reasonOf(error) });
      return [];
    }
  }

  #record(reader: SessionReader, candidate: Candidate): SessionRecord | undefined {
    const cached = this.#parts.cache.get(candidate);
    if (cached !== undefined) return cached ?? undefined;
    try {
      const record = reader.read(candidate);
      this.#parts.cache.put(candidate, record);
      return record ?? undefined;
    } catch (error) {
      const code = systemErrorCode(error);
      // Deleted since the listing: there is no session any more.
      if (code !== 'ENOENT')
        this.#note(reader.harness, { path: candidate.path, code: code ?? reasonOf(error) });
      return undefined;
    }
  }

  async #repositoryOf({ cwd, gitUrl }: SessionRecord): Promise<string | undefined> {
    const found = cwd === undefined ? undefined : await this.#parts.repositories.resolve(cwd);
    if (found?.id !== undefined) return found.id;
    return (gitUrl === undefined ? undefined : normalizeRemote(gitUrl)) ?? found?.name;
  }

  #note(harness: Harness, { path, code }: ReadProblem): void {
    this.#problems.push({ harness, path, reason: code });
  }
}

/** What searches is loaded only for a search. */
async function searchIn(sessions: readonly Session[], words: readonly string[]): Promise<Session[]> {
  const { search } = await import('./search.ts');
  return search(sessions, searchText, words);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
