import fs from 'node:fs';
import { systemErrorCode } from '../../contract/errors.ts';

/** Whether somebody holds a `flock` on a file; the holder's pid where the platform tells it. */
export type LockState =
  | { kind: 'held'; pid?: number }
  | { kind: 'free' }
  | { kind: 'absent' }
  | { kind: 'unknown' };

/** Looks at the locks of the whole machine, once; no lock is taken on Linux, a shared one for a moment on macOS. */
export class FileLocks {
  readonly #platform: NodeJS.Platform;
  #table: KernelLock[] | undefined;

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
  }

  state(file: string): LockState {
    try {
      const found = fs.statSync(file, { throwIfNoEntry: false });
      if (found === undefined) return { kind: 'absent' };
      if (this.#platform === 'linux') return this.#inTable(found);
      return this.#platform === 'darwin' ? probeByOpening(file) : { kind: 'unknown' };
    } catch {
      return { kind: 'unknown' };
    }
  }

  #inTable(found: fs.Stats): LockState {
    this.#table ??= parseKernelLocks(fs.readFileSync('/proc/locks', 'latin1'));
    const onInode = this.#table.filter((lock) => lock.inode === found.ino);
    const held = onInode.find((lock) => lock.device === found.dev);
    if (held !== undefined) return held.pid > 0 ? { kind: 'held', pid: held.pid } : { kind: 'held' };
    // File systems of layers or subvolumes show another device here than in the table.
    return onInode.length > 0 ? { kind: 'unknown' } : { kind: 'free' };
  }
}

/** One `flock` in `/proc/locks`. */
export interface KernelLock {
  pid: number;
  /** As in `st_dev`. */
  device: number;
  inode: number;
}

const FLOCK = /^\d+:\s+FLOCK\s+\S+\s+\S+\s+(-?\d+)\s+([0-9a-f]+):([0-9a-f]+):(\d+)\s/gm;

/** Parses `/proc/locks`; locks of other kinds and processes that only wait for one are left out. */
export function parseKernelLocks(text: string): KernelLock[] {
  return [...text.matchAll(FLOCK)].map(([, pid, major, minor, inode]) => ({
    pid: Number(pid),
    device: deviceNumber(Number.parseInt(major ?? '', 16), Number.parseInt(minor ?? '', 16)),
    inode: Number(inode),
  }));
}

/** Linux's `makedev`, as `st_dev` has it. */
function deviceNumber(major: number, minor: number): number {
  const low = (minor & 0xff) | ((major & 0xfff) << 8);
  return low + ((minor >>> 8) & 0xfff) * 0x100_000 + Math.floor(major / 0x1000) * 0x1_0000_0000;
}

/** BSD's open flags that Node has no names for: open with a shared lock, without waiting. */
const O_SHLOCK = 0x10;

function probeByOpening(file: string): LockState {
  try {
    fs.closeSync(fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | O_SHLOCK));
    return { kind: 'free' };
  } catch (error) {
    return systemErrorCode(error) === 'EAGAIN' ? { kind: 'held' } : { kind: 'unknown' };
  }
}
