import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../../contract/errors.ts';
import { sessionFileName } from '../../contract/session-id.ts';
import { holderOf, readKernelLocks } from './kernel-locks.ts';

/**
 * A thread's writer lock. `held`: the thread is loaded. `free`: its process was killed. `absent`: the thread is not
 * loaded (or this Codex has no such locks). `unknown`: nothing here can tell.
 */
export type LockState = 'held' | 'free' | 'absent' | 'unknown';

export interface ThreadLock {
  state: Exclude<LockState, 'absent'>;
  /** The process that has the thread loaded, where it is known. */
  holder: number | undefined;
  /** Wall milliseconds at which the lock file was made, which is when the thread was loaded. */
  madeAt: number;
}

/** Every lock file of one Codex home at one moment. */
export interface LockReading {
  /** False when this home has no folder of locks: then nothing follows from an absent one. */
  supported: boolean;
  locks: ReadonlyMap<string, ThreadLock>;
}

/** What telling the state of a lock takes; replaced in tests. */
export interface LockProbe {
  /** Tells the state of each file. Called once per reading, with at least one file. */
  probe(
    files: readonly { path: string; stats: Stats }[],
  ): { state: ThreadLock['state']; holder: number | undefined }[];
}

const LOCK_SUFFIX = '.lock';
/** The pid namespace of the machine itself: from there the processes of every other namespace are seen. */
const MACHINE_NAMESPACE = 'pid:[4026531836]';

function seesEveryProcess(): boolean {
  try {
    return readlinkSync('/proc/self/ns/pid') === MACHINE_NAMESPACE;
  } catch {
    return false;
  }
}

/**
 * Linux: reads `/proc/locks`. The lock itself is never touched. The list leaves out what processes outside this pid
 * namespace hold, so inside a container a lock without a holder is not known to be free.
 */
export function linuxProbe(seesEverything = seesEveryProcess(), readLocks = readKernelLocks): LockProbe {
  return {
    probe(files) {
      const locks = readLocks();
      return files.map(({ path: file, stats }) => {
        const holder = locks === undefined ? 'unknown' : holderOf(file, stats, locks);
        if (typeof holder === 'number') return { state: 'held', holder };
        return { state: holder === 'none' && seesEverything ? 'free' : 'unknown', holder: undefined };
      });
    },
  };
}

/** Values of <fcntl.h> on macOS; Node names neither. */
const MAC_O_SHLOCK = 0x10;

/**
 * macOS: opens the file asking for a shared lock without waiting, and closes it at once. While Codex holds its own lock
 * this fails and nothing else happens.
 */
export function macProbe(open = openSync, close = closeSync): LockProbe {
  return {
    probe: (files) =>
      files.map(({ path: file }) => {
        try {
          close(open(file, constants.O_RDONLY | constants.O_NONBLOCK | MAC_O_SHLOCK));
          return { state: 'free', holder: undefined };
        } catch (error) {
          const busy = systemErrorCode(error) === 'EAGAIN';
          return { state: busy ? 'held' : 'unknown', holder: undefined };
        }
      }),
  };
}

/** The way to tell locks on this platform. */
export function lockProbe(platform: NodeJS.Platform): LockProbe {
  return platform === 'darwin' ? macProbe() : linuxProbe();
}

/** The folder of a home's thread locks. */
export function lockFolder(codexHome: string): string {
  return path.join(codexHome, 'thread-writer-locks');
}

/** Reads every thread lock of a Codex home. Only plain files named by a thread id count. */
export function readThreadLocks(codexHome: string, probe: LockProbe): LockReading {
  const folder = lockFolder(codexHome);
  const names = namesIn(folder);
  if (names === undefined) return { supported: false, locks: new Map() };
  const found = names.flatMap((name) => {
    const id = name.endsWith(LOCK_SUFFIX) ? sessionFileName(name.slice(0, -LOCK_SUFFIX.length)) : undefined;
    const file = path.join(folder, name);
    const stats = id === undefined ? undefined : statsOf(file);
    return id === undefined || stats?.isFile() !== true ? [] : [{ id, path: file, stats }];
  });
  if (found.length === 0) return { supported: true, locks: new Map() };
  const states = probe.probe(found);
  const locks = new Map<string, ThreadLock>();
  for (const [index, { id, stats }] of found.entries()) {
    const { state, holder } = states[index] ?? { state: 'unknown', holder: undefined };
    locks.set(id, { state, holder, madeAt: stats.mtimeMs });
  }
  return { supported: true, locks };
}

/** Asked every second, mostly of a folder that is not there: an exception each time would cost more than the rest. */
function namesIn(folder: string): string[] | undefined {
  try {
    return existsSync(folder) ? readdirSync(folder) : undefined;
  } catch {
    return undefined;
  }
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

/** The state of one thread's lock in a reading. */
export function lockStateOf(reading: LockReading, threadId: string): LockState {
  return reading.locks.get(threadId.toLowerCase())?.state ?? 'absent';
}

/**
 * What the lock proves about a session whose hooks were journaled. In the home that holds its rollout an absent lock
 * proves as much as a free one: Codex removes the file when it unloads the thread.
 */
export function proofOfLock(reading: LockReading, threadId: string, homeHoldsRollout: boolean): LockState {
  const state = lockStateOf(reading, threadId);
  return state === 'absent' && reading.supported && homeHoldsRollout ? 'free' : state;
}
