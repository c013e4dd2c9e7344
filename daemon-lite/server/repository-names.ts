import { findGitRepository, repositoryName } from '../../agents/git-repository.ts';

export interface RepositoryNamesOptions {
  /** Finds the name for one cwd; may take for ever (a network mount that is gone). */
  find?: (cwd: string) => Promise<string | undefined>;
  /** Told when a look-up failed or took too long; the cwd without a repository is no failure. */
  onFailure?: (reason: 'failed' | 'slow') => void;
  /** Told of a name that was found after those who waited for it had to go on without. */
  onLateName?: (cwd: string, name: string) => void;
  now?: () => number;
  ttlMs?: number;
  deadlineMs?: number;
}

interface Known {
  name: string | undefined;
  /** When it was found; a look-up that is still under way keeps the old name usable. */
  at: number;
  pending: Promise<string | undefined> | undefined;
  /** The look-up under way was reported as slow: once is enough, however many sightings wait for it. */
  slow: boolean;
}

/** How long a found name is used without looking again: hooks come in bursts, `git init` is rare. */
const TTL_MS = 5_000;
/** How long a sighting waits for its name. Afterwards it is applied with the last known one. */
const DEADLINE_MS = 200;
/** Most cwds remembered; the one asked for longest ago goes first. */
const MOST_KNOWN = 1_024;
/** Most look-ups at once: each holds a thread of Node's pool of four for as long as its disk is silent. */
const MOST_AT_ONCE = 2;
/** Most look-ups that wait for their turn; beyond that a name is not worth waiting for. */
const MOST_QUEUED = 256;

/**
 * Names of repositories by cwd, remembered for a few seconds. Looks outside the event loop and waits briefly, so that a
 * disk that does not answer costs a session its repository name and the daemon nothing.
 */
export class RepositoryNames {
  readonly #find: (cwd: string) => Promise<string | undefined>;
  readonly #onFailure: (reason: 'failed' | 'slow') => void;
  readonly #onLateName: (cwd: string, name: string) => void;
  readonly #now: () => number;
  readonly #ttlMs: number;
  readonly #deadlineMs: number;
  readonly #known = new Map<string, Known>();
  #running = 0;
  readonly #queue: (() => void)[] = [];

  constructor(options: RepositoryNamesOptions = {}) {
    this.#find = options.find ?? findName;
    this.#onFailure = options.onFailure ?? (() => {});
    this.#onLateName = options.onLateName ?? (() => {});
    this.#now = options.now ?? (() => performance.now());
    this.#ttlMs = options.ttlMs ?? TTL_MS;
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  }

  /** The name of the repository around `cwd`: at once when it was looked up lately, else within the deadline. */
  nameFor(cwd: string): string | undefined | Promise<string | undefined> {
    const known = this.#known.get(cwd);
    if (known !== undefined && known.pending === undefined && this.#now() - known.at < this.#ttlMs)
      return known.name;
    if (known?.pending === undefined && this.#queue.length >= MOST_QUEUED) return known?.name;
    const entry = known ?? { name: undefined, at: 0, pending: undefined, slow: false };
    this.#remember(cwd, entry);
    entry.pending ??= this.#within(cwd, this.#look(cwd, entry), entry);
    return entry.pending;
  }

  #remember(cwd: string, entry: Known): void {
    this.#known.delete(cwd);
    this.#known.set(cwd, entry);
    if (this.#known.size <= MOST_KNOWN) return;
    const oldest = this.#known.keys().next().value;
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  async #look(cwd: string, entry: Known): Promise<string | undefined> {
    await this.#slot();
    try {
      entry.name = await this.#find(cwd);
    } catch {
      this.#onFailure('failed');
    } finally {
      entry.at = this.#now();
      entry.pending = undefined;
      entry.slow = false;
      this.#running--;
      this.#queue.shift()?.();
    }
    return entry.name;
  }

  async #slot(): Promise<void> {
    if (this.#running >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#running++;
  }

  /** The name, or after the deadline the last known one: one timer and one complaint for all who wait. */
  #within(cwd: string, looking: Promise<string | undefined>, entry: Known): Promise<string | undefined> {
    return new Promise((resolve) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        this.#onFailure('slow');
        resolve(entry.name);
      }, this.#deadlineMs);
      void looking.then((name) => {
        clearTimeout(timer);
        if (late && name !== undefined) this.#onLateName(cwd, name);
        resolve(name);
      });
    });
  }
}

async function findName(cwd: string): Promise<string | undefined> {
  const repository = await findGitRepository(cwd);
  return repository === undefined ? undefined : repositoryName(repository);
}
