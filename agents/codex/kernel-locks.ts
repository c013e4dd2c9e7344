import { readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { systemErrorCode } from '../../contract/errors.ts';

/** One exclusive `flock` as `/proc/locks` lists it. */
export interface KernelLock {
  pid: number;
  /** `major:minor` of the file system, as hexadecimal numbers without leading zeros. */
  device: string;
  inode: number;
}

const FLOCK_LINE = /^\d+: FLOCK +ADVISORY +WRITE +(\d+) +([0-9a-f]+):([0-9a-f]+):(\d+) /;

/** Parses `/proc/locks`. Lines that wait for a lock (`->`) and other kinds of locks are left out. */
export function parseKernelLocks(text: string): KernelLock[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, major, minor, inode] = FLOCK_LINE.exec(line) ?? [];
    if (pid === undefined || major === undefined || minor === undefined || inode === undefined) return [];
    const device = deviceName(Number.parseInt(major, 16), Number.parseInt(minor, 16));
    return [{ pid: Number(pid), device, inode: Number(inode) }];
  });
}

function deviceName(major: number, minor: number): string {
  return `${major.toString(16)}:${minor.toString(16)}`;
}

/** The device of a file in the same spelling. Linux packs major and minor into one number. */
export function deviceOf({ dev }: Pick<Stats, 'dev'>): string {
  const packed = BigInt(dev);
  const major = ((packed >> 8n) & 0xfffn) | ((packed >> 32n) & 0xfffff000n);
  const minor = (packed & 0xffn) | ((packed >> 12n) & 0xffffff00n);
  return deviceName(Number(major), Number(minor));
}

/** Whether a process has a file open; undefined when its files cannot be read. */
function hasOpen(pid: number, file: string): boolean | undefined {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((name) => {
      try {
        return readlinkSync(`${folder}/${name}`) === file;
      } catch {
        return false;
      }
    });
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? false : undefined;
  }
}

/**
 * Who holds the exclusive lock of a file, told by the kernel's own list, without touching the lock.
 *
 * @returns the pid, `none`, or `unknown` where the list cannot tell the file from another with the same number.
 */
export function holderOf(
  file: string,
  stats: Stats,
  locks: readonly KernelLock[],
): number | 'none' | 'unknown' {
  const device = deviceOf(stats);
  const candidates = locks.filter(({ inode }) => inode === stats.ino);
  const exact = candidates.find((lock) => lock.device === device);
  if (exact !== undefined) return exact.pid;
  // Some file systems (btrfs) show another device in the list than in a stat: then the open file decides.
  for (const { pid } of candidates) {
    const open = hasOpen(pid, file);
    if (open === true) return pid;
    if (open === undefined) return 'unknown';
  }
  return 'none';
}

/** The kernel's list, or undefined where there is none. */
export function readKernelLocks(): KernelLock[] | undefined {
  try {
    return parseKernelLocks(readFileSync('/proc/locks', 'latin1'));
  } catch {
    return undefined;
  }
}
