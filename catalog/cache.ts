import fs from 'node:fs';
import path from 'node:path';
import type { Surroundings } from '../contract/paths.ts';
import type { Candidate, SessionRecord } from './session.ts';

/** Raised with every change of {@link SessionRecord} or of how one is read: older caches are then left unread. */
const HEADER = '{"omni-dev":"session catalog cache","version":1}';
const NEWLINE = 0x0a;
/** A file this large is not ours, or was damaged. */
const SIZE_LIMIT_BYTES = 256 * 1024 * 1024;
/** Dead lines that are put up with before the file is written anew. */
const DEAD_LINES_ALLOWED = 2_000;

/** `<cache dir>/omni-dev/catalog.ndjson`: the user's cache directory, by the platform's rule. */
export function cacheFile(around: Surroundings): string {
  return path.join(cacheFolder(around), 'omni-dev', 'catalog.ndjson');
}

function cacheFolder(around: Surroundings): string {
  if (around.platform === 'darwin') return path.join(around.home, 'Library', 'Caches');
  const xdg = around.env.XDG_CACHE_HOME;
  return xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(around.home, '.cache');
}

/** Where a line's JSON lies in the loaded file, and the stamp it was read at. */
interface Entry {
  stamp: string;
  start: number;
  end: number;
}

/**
 * What was read from session files, by path, size and time of writing. One line per file, appended; a later line wins.
 * Holds titles and prompts, so it is readable by its owner alone. Safe to delete at any time; a damaged line is a miss.
 */
export class RecordCache {
  readonly #file: string | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #fresh = new Map<string, { stamp: string; record: SessionRecord | null }>();
  #bytes: Buffer = Buffer.alloc(0);
  #deadLines = 0;
  #isLoaded = false;

  /** @param file where the cache lies, or undefined to keep nothing between runs */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** The record of an unchanged file; null when it is known to hold no session; undefined when it must be read. */
  get({ path: file, size, writtenAt }: Candidate): SessionRecord | null | undefined {
    this.#load();
    const stamp = stampOf(size, writtenAt);
    const fresh = this.#fresh.get(file);
    if (fresh !== undefined) return fresh.stamp === stamp ? fresh.record : undefined;
    const entry = this.#entries.get(file);
    if (entry === undefined || entry.stamp !== stamp) return undefined;
    return parseRecord(this.#bytes.toString('utf8', entry.start, entry.end));
  }

  put({ path: file, size, writtenAt }: Candidate, record: SessionRecord | null): void {
    this.#fresh.set(file, { stamp: stampOf(size, writtenAt), record });
  }

  /**
   * Writes what is new. A cache that cannot be written is no failure.
   *
   * @param exists tells whether a file is still there: what is kept of the others is dropped when the cache is rewritten
   */
  save(exists: (file: string) => boolean): void {
    if (this.#file === undefined || this.#fresh.size === 0) return;
    try {
      this.#load();
      fs.mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      const replaced = [...this.#fresh.keys()].filter((file) => this.#entries.has(file)).length;
      const mustRewrite = this.#bytes.length === 0 || this.#deadLines + replaced > DEAD_LINES_ALLOWED;
      if (mustRewrite) this.#rewrite(this.#file, exists);
      else this.#append(this.#file);
      this.#fresh.clear();
    } catch {
      // Read-only home, full disk: the next run reads the files again.
    }
  }

  /** Removes the cache of an earlier run: what the user switched off is not left behind. */
  static remove(file: string): void {
    fs.rmSync(file, { force: true });
  }

  #append(file: string): void {
    const fd = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_NOFOLLOW);
    try {
      // A line cut off by a full disk must not swallow the next one.
      const gap = this.#bytes.at(-1) === NEWLINE ? '' : '\n';
      fs.writeSync(fd, gap + this.#freshLines().join(''));
    } finally {
      fs.closeSync(fd);
    }
  }

  #rewrite(file: string, exists: (file: string) => boolean): void {
    const kept = [...this.#entries]
      .filter(([name]) => !this.#fresh.has(name) && exists(name))
      .map(
        ([name, entry]) =>
          `${name}\t${entry.stamp}\t${this.#bytes.toString('utf8', entry.start, entry.end)}\n`,
      );
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      fs.writeFileSync(temporary, [`${HEADER}\n`, ...kept, ...this.#freshLines()].join(''), {
        mode: 0o600,
        flag: 'wx',
      });
      fs.renameSync(temporary, file);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      throw error;
    }
  }

  #freshLines(): string[] {
    return [...this.#fresh]
      .filter(([name]) => !/[\t\n]/.test(name))
      .map(([name, { stamp, record }]) => `${name}\t${stamp}\t${JSON.stringify(record)}\n`);
  }

  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const bytes = this.#file === undefined ? undefined : readOwn(this.#file);
    const headerEnd = bytes?.indexOf(NEWLINE) ?? -1;
    if (bytes === undefined || headerEnd === -1 || bytes.toString('utf8', 0, headerEnd) !== HEADER) return;
    this.#bytes = bytes;
    let start = headerEnd + 1;
    for (let end = bytes.indexOf(NEWLINE, start); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#index(start, end);
      start = end + 1;
    }
  }

  /** Only the part before the JSON is looked at: of thousands of lines a run needs few. */
  #index(start: number, end: number): void {
    const afterPath = this.#bytes.indexOf(0x09, start);
    const afterStamp = afterPath === -1 ? -1 : this.#bytes.indexOf(0x09, afterPath + 1);
    if (afterStamp === -1 || afterStamp >= end) return;
    const file = this.#bytes.toString('utf8', start, afterPath);
    if (this.#entries.has(file)) this.#deadLines++;
    const stamp = this.#bytes.toString('latin1', afterPath + 1, afterStamp);
    this.#entries.set(file, { stamp, start: afterStamp + 1, end });
  }
}

function stampOf(size: number, writtenAt: number): string {
  return `${size}:${writtenAt}`;
}

/** The file's bytes, when it is a plain file of ours that nobody else may read. */
function readOwn(file: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    const found = fs.fstatSync(fd);
    if (!found.isFile() || found.size > SIZE_LIMIT_BYTES || found.uid !== process.getuid?.())
      return undefined;
    if ((found.mode & 0o077) !== 0) fs.fchmodSync(fd, 0o600);
    return fs.readFileSync(fd);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

function parseRecord(json: string): SessionRecord | null | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (value === null) return null;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is SessionRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { recentPrompts, hasPrompt } = value as Partial<SessionRecord>;
  return Array.isArray(recentPrompts) && typeof hasPrompt === 'boolean';
}
