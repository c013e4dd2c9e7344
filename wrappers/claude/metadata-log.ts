import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { rfc3339 } from '../../contract/clock.ts';

/** Most records that wait for the disk; further ones are counted and dropped. */
export const LOG_QUEUE_RECORDS = 128;

/** Longest time an exit waits for the last records. */
export const LOG_CLOSE_MS = 200;

/** One record's own keys: ids, states, paths, counts and codes; never content. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the log goes, or undefined when OMNI_DEV_CLAUDE_WRAP_LOG is unset, empty or not an absolute path. */
export function metadataLogPath(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const file = env.OMNI_DEV_CLAUDE_WRAP_LOG;
  return file !== undefined && path.isAbsolute(file) ? file : undefined;
}

/**
 * The opt-in metadata file: one JSON line per record, appended in the background through a bounded queue. New files are
 * 0600; a symlink or anything that is no regular file is refused, the mode of an existing file stays. Every failure
 * silently switches the log off.
 */
export class MetadataLog {
  readonly #now: () => number;
  readonly #opening: Promise<FileHandle | undefined>;
  #queue: string[] = [];
  #writing: Promise<void> | undefined;
  #broken = false;
  #drops = 0;

  constructor(file: string, now: () => number = Date.now) {
    this.#now = now;
    this.#opening = openForAppend(file);
  }

  /** Records that found no room in the queue. */
  get drops(): number {
    return this.#drops;
  }

  /** Queues a record and returns at once. */
  write(event: string, fields: LogFields = {}): void {
    if (this.#broken) return;
    if (this.#queue.length >= LOG_QUEUE_RECORDS) {
      this.#drops += 1;
      return;
    }
    const record = { ts: rfc3339(this.#now()), event, wrapper_pid: process.pid, ...fields };
    this.#queue.push(`${JSON.stringify(record)}\n`);
    this.#writing ??= this.#drain();
  }

  /** Waits until everything is written and closes the file, {@link LOG_CLOSE_MS} at most. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LOG_CLOSE_MS);
    });
    await Promise.race([this.#finish(), limit]);
    clearTimeout(timer);
  }

  async #finish(): Promise<void> {
    await this.#writing;
    this.#broken = true;
    const handle = await this.#opening;
    await handle?.close();
  }

  async #drain(): Promise<void> {
    try {
      const handle = await this.#opening;
      if (handle === undefined) throw new Error('refused');
      while (this.#queue.length > 0) {
        const records = this.#queue.splice(0);
        await handle.appendFile(records.join(''));
      }
    } catch {
      this.#broken = true;
      this.#queue = [];
    }
    this.#writing = undefined;
  }
}

async function openForAppend(file: string): Promise<FileHandle | undefined> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  try {
    // Not blocking, because opening a named pipe would wait for a reader.
    const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch {
    // A log that cannot be opened is none.
  }
  return undefined;
}
