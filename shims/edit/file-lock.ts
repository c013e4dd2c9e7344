import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from '../../contract/errors.ts';
import { ConfigFileError } from './config-file-error.ts';

/** A lock older than this is stale whoever holds it: an edit takes milliseconds. */
const STALE_AFTER_MS = 30_000;
const RETRY_MS = 20;

export interface LockOptions {
  /** Longest wait for another editor, milliseconds. */
  waitMs?: number;
  /** Wall-clock milliseconds since 1970. */
  now?: () => number;
}

/** The lock that keeps two editors of one file apart. */
export interface HeldLock {
  /** False when somebody took it over because it had become stale: nothing may be written then. */
  isHeld(): boolean;
  release(): void;
}

/** Where the lock of a target lies: beside it, so that every editor of the file meets the same one. */
export function lockPathOf(target: string): string {
  return `${target}.omni-dev-lock`;
}

/**
 * Waits for the lock of a target and takes it. The lock of a process that died is taken over.
 *
 * @throws ConfigFileError `CONFIG_BUSY` when a living process keeps it, or the system error when the folder is not
 *   writable.
 */
export async function takeLock(file: string, target: string, options: LockOptions = {}): Promise<HeldLock> {
  const lock = lockPathOf(target);
  const now = options.now ?? Date.now;
  const deadline = now() + (options.waitMs ?? 5_000);
  for (;;) {
    const held = tryLock(lock);
    if (held !== undefined) return held;
    if (now() >= deadline) throw busy(file, lock);
    removeStale(lock, now());
    await delay(RETRY_MS);
  }
}

/** Links a finished file to the lock's name: whoever reads the lock reads a whole one. */
function tryLock(lock: string): HeldLock | undefined {
  const nonce = randomBytes(8).toString('hex');
  const draft = `${lock}.${nonce}`;
  const content = `${process.pid} ${nonce}\n`;
  fs.writeFileSync(draft, content, { flag: 'wx', mode: 0o600 });
  try {
    fs.linkSync(draft, lock);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
  const isHeld = () => readLock(lock)?.content === content;
  return {
    isHeld,
    release: () => {
      if (isHeld()) fs.rmSync(lock, { force: true });
    },
  };
}

function readLock(lock: string): { content: string; modifiedMs: number } | undefined {
  try {
    return { content: fs.readFileSync(lock, 'utf8'), modifiedMs: fs.statSync(lock).mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * Removes the lock if its holder is dead. Two that see the same dead lock must not remove each other's new one: it is
 * moved aside first, and moved back when it turns out to be another.
 */
function removeStale(lock: string, nowMs: number): void {
  const seen = readLock(lock);
  if (seen === undefined) return;
  const holder = Number.parseInt(seen.content, 10);
  const age = nowMs - seen.modifiedMs;
  if (age < STALE_AFTER_MS && isAlive(holder)) return;
  const aside = `${lock}.stale-${randomBytes(8).toString('hex')}`;
  try {
    fs.renameSync(lock, aside);
  } catch {
    return;
  }
  try {
    if (readLock(aside)?.content !== seen.content) fs.linkSync(aside, lock);
  } catch {
    // Its place is taken already; its holder sees that before it writes.
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

function busy(file: string, lock: string): ConfigFileError {
  return new ConfigFileError(
    'CONFIG_BUSY',
    file,
    'is being edited by another omni-dev',
    `Wait for it to finish and run the command again; if none is running, remove ${lock}.`,
  );
}
