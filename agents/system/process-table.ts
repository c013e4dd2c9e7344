import { execFile } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { type ProcessEntry, parsePsTable, parseStat } from './process-entry.ts';

/** Looks single processes up, without spawning anything where the platform allows it. */
export interface ProcessTable {
  /** The process, null when there is none, undefined when this cannot be told right now. */
  read(pid: number): ProcessEntry | null | undefined;
  /** Arguments of the process, or undefined when they cannot be read. */
  argumentsOf(pid: number): readonly string[] | undefined;
  /** Brings a table that works from snapshots up to date; at once where it does not. */
  refresh(): Promise<void>;
}

/** More than a line of `/proc/<pid>/stat` can hold. */
const STAT_BYTES = 4_096;

/** Linux: `/proc`, read on demand. */
export class LinuxProcessTable implements ProcessTable {
  #bootMs: number | undefined;
  readonly #stat = Buffer.alloc(STAT_BYTES);

  read(pid: number): ProcessEntry | null | undefined {
    try {
      return parseStat(this.#readStat(pid), this.#boot());
    } catch (error) {
      return isMissing(error) ? null : undefined;
    }
  }

  argumentsOf(pid: number): readonly string[] | undefined {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    } catch {
      return undefined;
    }
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  /** Many processes are looked at again and again: `readFileSync` would take 64 KB of fresh memory for each. */
  #readStat(pid: number): string {
    const descriptor = openSync(`/proc/${pid}/stat`, 'r');
    try {
      return this.#stat.toString('latin1', 0, readSync(descriptor, this.#stat, 0, STAT_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  }

  /** Wall time of the machine's start, in milliseconds. */
  #boot(): number | undefined {
    if (this.#bootMs === undefined) {
      const found = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'));
      this.#bootMs = found?.[1] === undefined ? undefined : Number(found[1]) * 1000;
    }
    return this.#bootMs;
  }
}

const PS_TIMEOUT_MS = 2_000;
/** A snapshot older than this says nothing about a pid that it lacks. */
const PS_FRESH_MS = 15_000;

/** macOS and others: snapshots of `ps`, taken off the request path. */
export class PsProcessTable implements ProcessTable {
  #entries = new Map<number, ProcessEntry>();
  #takenAt = Number.NEGATIVE_INFINITY;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  read(pid: number): ProcessEntry | null | undefined {
    const known = this.#entries.get(pid);
    if (known !== undefined) return known;
    // A process younger than the snapshot is missing from it: only a signal tells whether it is there.
    return isRunning(pid) ? undefined : this.#now() - this.#takenAt < PS_FRESH_MS ? null : undefined;
  }

  argumentsOf(): undefined {
    return undefined;
  }

  refresh(): Promise<void> {
    const args = ['-axo', 'pid=,ppid=,stat=,tty=,lstart=,comm='];
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    return new Promise((resolve) => {
      execFile('ps', args, { env, timeout: PS_TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => {
        if (error === null) {
          this.#entries = parsePsTable(stdout);
          this.#takenAt = this.#now();
        }
        resolve();
      });
    });
  }
}

/** The table of this platform. */
export function processTable(platform: NodeJS.Platform): ProcessTable {
  return platform === 'linux' ? new LinuxProcessTable() : new PsProcessTable();
}

/** True unless the kernel says that there is no such process. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

function isMissing(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ESRCH';
}
