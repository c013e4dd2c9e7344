import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { sessionFileName } from '../../contract/session-id.ts';

/** One rollout as a look found it. */
export interface FoundRollout {
  threadId: string;
  file: string;
  size: number;
  mtimeMs: number;
}

/** `.jsonl` only: a compressed one cannot be read, and is never written to. */
const ROLLOUT = /^rollout-.+-([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\.jsonl$/;
const NUMBER = /^\d+$/;
/** The newest folders are looked into in every round. */
const NEWEST_FOLDERS = 3;
/** The clock of a file system ticks in steps: a folder read this soon after its change may change unseen. */
const SETTLED_MS = 2_000;
/**
 * The older ones are looked into by turns, all of them within this many rounds: a resumed rollout is old and grows, and
 * has to be seen while that is news. Where threads have locks it is found by its lock long before.
 */
const ROUNDS_FOR_ALL = 48;

interface Folder {
  /** Modification time at which its names were read, or undefined to read them again. */
  readAt: number | undefined;
  names: string[];
}

interface Stamp {
  size: number;
  mtimeMs: number;
}

/**
 * The rollouts below `sessions/YYYY/MM/DD`. The first look reads every name once; after that a look costs a few stats
 * for the folders, and one for each file of the newest and of a few older ones: what did not change is not touched.
 */
export class RolloutFolders {
  readonly #root: string;
  readonly #folders = new Map<string, Folder>();
  readonly #files = new Map<string, string>();
  readonly #stamps = new Map<string, Stamp>();
  #days: string[] = [];
  /** Names in the folders above the days, as they were read last. */
  #above: string[][] = [];
  #turn = 0;

  constructor(sessionsFolder: string) {
    this.#root = sessionsFolder;
  }

  /** Files known by name. */
  get count(): number {
    return this.#files.size;
  }

  /** The rollout of a thread, or undefined when none was seen. */
  fileOf(threadId: string): string | undefined {
    return this.#files.get(threadId);
  }

  /** Looks at the newest folders alone: enough to find the rollout of a thread that was started just now. */
  lookAtNewest(): void {
    const days = this.#dayFolders();
    if (days !== this.#days) this.#takeDays(days);
    for (const day of days.slice(-2)) this.#rolloutsIn(day);
  }

  /**
   * Looks around.
   *
   * @returns the files that appeared or changed since they were last looked at, as far as this look went.
   */
  look(): FoundRollout[] {
    const days = this.#dayFolders();
    if (days !== this.#days) this.#takeDays(days);
    return this.#chosen(days).flatMap((day) => this.#changedIn(day));
  }

  /** The newest folders, and the next few of the others. */
  #chosen(days: string[]): string[] {
    const older = days.slice(0, -NEWEST_FOLDERS);
    const few = Math.ceil(older.length / ROUNDS_FOR_ALL);
    const from = this.#turn % Math.max(older.length, 1);
    this.#turn = from + few;
    return [...days.slice(-NEWEST_FOLDERS), ...older.slice(from, from + few)];
  }

  #changedIn(day: string): FoundRollout[] {
    return this.#rolloutsIn(day).flatMap((name) => {
      const file = path.join(day, name);
      const stats = statsOf(file);
      if (stats?.isFile() !== true) return [];
      const { size, mtimeMs } = stats;
      const before = this.#stamps.get(file);
      if (before?.size === size && before.mtimeMs === mtimeMs) return [];
      this.#stamps.set(file, { size, mtimeMs });
      return [{ threadId: threadIdOf(name) ?? '', file, size, mtimeMs }];
    });
  }

  /** Reads the names in folders that are new, and forgets those that went. */
  #takeDays(days: string[]): void {
    const present = new Set(days);
    for (const day of this.#days) {
      if (present.has(day)) continue;
      this.#remember(day, this.#folders.get(day)?.names ?? [], []);
      this.#folders.delete(day);
    }
    this.#days = days;
    for (const day of days) if (!this.#folders.has(day)) this.#rolloutsIn(day);
  }

  /** The folders of all days, oldest first: the very same list while none came or went. */
  #dayFolders(): string[] {
    const above: string[][] = [];
    const below = (folder: string) => {
      const names = this.#namesIn(folder, NUMBER);
      above.push(names);
      return names;
    };
    const years = below(this.#root).map((year) => path.join(this.#root, year));
    const months = years.flatMap((year) => below(year).map((month) => path.join(year, month)));
    const days = months.map((month) => ({ month, names: below(month) }));
    const isSame =
      above.length === this.#above.length && above.every((names, index) => names === this.#above[index]);
    this.#above = above;
    return isSame
      ? this.#days
      : days.flatMap(({ month, names }) => names.map((day) => path.join(month, day)));
  }

  /** Names of the rollouts in a day's folder. */
  #rolloutsIn(day: string): string[] {
    const before = this.#folders.get(day)?.names ?? [];
    const names = this.#namesIn(day, ROLLOUT);
    if (names !== before) this.#remember(day, before, names);
    return names;
  }

  #remember(day: string, before: string[], names: string[]): void {
    const present = new Set(names);
    for (const name of before) {
      if (present.has(name)) continue;
      const file = path.join(day, name);
      const threadId = threadIdOf(name);
      this.#stamps.delete(file);
      if (threadId !== undefined && this.#files.get(threadId) === file) this.#files.delete(threadId);
    }
    for (const name of names) {
      const threadId = threadIdOf(name);
      if (threadId !== undefined) this.#files.set(threadId, path.join(day, name));
    }
  }

  /** Names in a folder that fit, sorted; read again only when the folder changed, else the very same list. */
  #namesIn(folder: string, fits: RegExp): string[] {
    const stats = statsOf(folder);
    const known = this.#folders.get(folder);
    if (stats?.isDirectory() !== true) return [];
    const { mtimeMs } = stats;
    if (known !== undefined && known.readAt === mtimeMs) return known.names;
    const names = readNames(folder)
      .filter((name) => fits.test(name))
      .sort();
    const settled = Date.now() - mtimeMs > SETTLED_MS;
    this.#folders.set(folder, { readAt: settled ? mtimeMs : undefined, names });
    return names;
  }
}

function threadIdOf(name: string): string | undefined {
  const id = ROLLOUT.exec(name)?.[1];
  return id === undefined ? undefined : sessionFileName(id);
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
