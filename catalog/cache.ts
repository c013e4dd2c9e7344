import fs from 'node:fs';
import path from 'node:path';
import type { Surroundings } from '../contract/paths.ts';
import type { Candidate, SessionRecord } from './session.ts';

/** Raised with every change of {@link SessionRecord} or of how one is read: older caches are then left unread. */
const HEADER = '{"omni-dev":"session catalog cache","version":3}';
const NEWLINE = 0x0a;
const TAB = 0x09;
/** Fewer new records than this are sooner read again than written: the whole cache is written at once. */
const WORTH_WRITING = 16;
/** A file this large is not ours, or was damaged. */
const SIZE_LIMIT_BYTES = 256 * 1024 * 1024;

/** `<cache dir>/omni-dev/catalog.ndjson`: the user's cache directory, by the platform's rule. */
export function cacheFile(around: Surroundings): string {
  return path.join(cacheFolder(around), 'omni-dev', 'catalog.ndjson');
}

function cacheFolder(around: Surroundings): string {
  if (around.platform === 'darwin') return path.join(around.home, 'Library', 'Caches');
  const xdg = around.env.XDG_CACHE_HOME;
  return xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(around.home, '.cache');
}

/** What is kept of a file: its record, null when it holds no session, or only a guess at its last activity. */
type Value = SessionRecord | null | number;

/** One line: time of writing, size, path, record. */
interface Line {
  writtenAt: number;
  size: number;
  file: string;
  /** Where the record's JSON lies in the loaded file. */
  start: number;
  end: number;
}

/**
 * What was read from session files, by path, size and time of writing. One line per file, the latest written first: a
 * run that shows the newest sessions looks at as many lines, however many there are. Holds titles and prompts, so only
 * its owner may read it. Safe to delete at any time; a damaged line is a miss.
 */
export class RecordCache {
  readonly #file: string | undefined;
  readonly #worthWriting: number;
  readonly #known = new Map<string, Line>();
  readonly #fresh = new Map<string, { writtenAt: number; size: number; value: Value }>();
  #bytes: Buffer | undefined;
  /** Where the first line lies that was not looked at. */
  #position = 0;

  /**
   * @param file where the cache lies, or undefined to keep nothing between runs
   * @param worthWriting how many new records there must be before a cache that exists is written anew
   */
  constructor(file: string | undefined, worthWriting = WORTH_WRITING) {
    this.#file = file;
    this.#worthWriting = worthWriting;
  }

  /** The record of an unchanged file; null when it is known to hold no session; undefined when it must be read. */
  get(candidate: Candidate): SessionRecord | null | undefined {
    const value = this.#value(candidate);
    return typeof value === 'number' ? undefined : value;
  }

  /** The last activity of an unchanged file, known or guessed, in ms since 1970; undefined when it is not known. */
  activity(candidate: Candidate): number | undefined {
    const value = this.#value(candidate);
    return typeof value === 'number' ? value : value?.lastActivityAt;
  }

  #value({ path: file, size, writtenAt }: Candidate): Value | undefined {
    const fresh = this.#fresh.get(file);
    if (fresh !== undefined) {
      return fresh.writtenAt === writtenAt && fresh.size === size ? fresh.value : undefined;
    }
    const bytes = this.#load();
    this.#lookUntil(writtenAt);
    const line = this.#known.get(file);
    if (line === undefined || line.writtenAt !== writtenAt || line.size !== size) return undefined;
    return parseValue(bytes.toString('utf8', line.start, line.end));
  }

  put({ path: file, size, writtenAt }: Candidate, value: Value): void {
    this.#fresh.set(file, { writtenAt, size, value });
  }

  /**
   * Writes what is new, and drops what is gone. A cache that cannot be written is no failure.
   *
   * @param existing gives the files that are still there
   */
  save(existing: () => ReadonlySet<string>): void {
    if (this.#file === undefined || this.#fresh.size === 0) return;
    if (this.#load().length > 0 && this.#fresh.size < this.#worthWriting) return;
    try {
      this.#write(this.#file, existing());
      this.#fresh.clear();
    } catch {
      // Read-only home, full disk: the next run reads the files again.
    }
  }

  /** Removes the cache of an earlier run: what the user switched off is not left behind. */
  static remove(file: string): void {
    fs.rmSync(file, { force: true });
  }

  #write(file: string, existing: ReadonlySet<string>): void {
    const bytes = this.#load();
    this.#lookUntil(Number.NEGATIVE_INFINITY);
    const lines: { writtenAt: number; text: string }[] = [];
    for (const line of this.#known.values()) {
      if (this.#fresh.has(line.file) || !existing.has(line.file)) continue;
      lines.push({
        writtenAt: line.writtenAt,
        text: encodeLine(line, bytes.toString('utf8', line.start, line.end)),
      });
    }
    for (const [name, { writtenAt, size, value }] of this.#fresh) {
      if (/[\t\n]/.test(name)) continue;
      lines.push({ writtenAt, text: encodeLine({ writtenAt, size, file: name }, JSON.stringify(value)) });
    }
    lines.sort((a, b) => b.writtenAt - a.writtenAt);
    replaceFile(file, `${HEADER}\n${lines.map(({ text }) => text).join('')}`);
  }

  #load(): Buffer {
    if (this.#bytes !== undefined) return this.#bytes;
    const bytes = this.#file === undefined ? undefined : readOwn(this.#file);
    const headerEnd = bytes?.indexOf(NEWLINE) ?? -1;
    const isOurs = headerEnd !== -1 && bytes?.toString('utf8', 0, headerEnd) === HEADER;
    this.#bytes = isOurs && bytes !== undefined ? bytes : Buffer.alloc(0);
    this.#position = isOurs ? headerEnd + 1 : 0;
    return this.#bytes;
  }

  /** Looks at the lines up to the first one older than `writtenAt`: no later one is of that time. */
  #lookUntil(writtenAt: number): void {
    const bytes = this.#load();
    for (;;) {
      const end = bytes.indexOf(NEWLINE, this.#position);
      if (end === -1) return;
      const line = decodeLine(bytes, this.#position, end);
      if (line !== undefined) {
        if (line.writtenAt < writtenAt) return;
        this.#known.set(line.file, line);
      }
      this.#position = end + 1;
    }
  }
}

function encodeLine({ writtenAt, size, file }: Omit<Line, 'start' | 'end'>, json: string): string {
  return `${writtenAt}\t${size}\t${file}\t${json}\n`;
}

/** Only the part before the JSON is decoded. */
function decodeLine(bytes: Buffer, start: number, end: number): Line | undefined {
  const afterTime = bytes.indexOf(TAB, start);
  const afterSize = bytes.indexOf(TAB, afterTime + 1);
  const afterFile = bytes.indexOf(TAB, afterSize + 1);
  if (afterTime === -1 || afterSize === -1 || afterFile === -1 || afterFile > end) return undefined;
  const writtenAt = Number(bytes.toString('latin1', start, afterTime));
  if (Number.isNaN(writtenAt)) return undefined;
  return {
    writtenAt,
    size: Number(bytes.toString('latin1', afterTime + 1, afterSize)),
    file: bytes.toString('utf8', afterSize + 1, afterFile),
    start: afterFile + 1,
    end,
  };
}

/** Puts a new file in the place of the old one, readable by its owner alone. */
function replaceFile(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    fs.rmSync(temporary, { force: true });
    fs.writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** The file's bytes, when it is a plain file of ours. Others are kept from reading it. */
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

function parseValue(json: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (value === null || typeof value === 'number') return value;
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
