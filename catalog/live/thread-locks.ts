import fs from 'node:fs';
import path from 'node:path';
import type { FileLocks } from '../../agents/system/file-lock.ts';
import { ABSENT, type Liveness, running, UNKNOWN } from './liveness.ts';

/**
 * Codex's `thread-writer-locks/<thread id>.lock`: held by the process that runs the thread, removed on a clean end. A
 * version without that folder tells nothing.
 */
export class ThreadLocks {
  readonly #folder: string;
  readonly #locks: FileLocks;
  readonly #inUse: boolean;

  constructor(codexHome: string, locks: FileLocks) {
    this.#folder = path.join(codexHome, 'thread-writer-locks');
    this.#locks = locks;
    this.#inUse = fs.existsSync(this.#folder);
  }

  liveness(threadId: string): Liveness {
    if (!this.#inUse) return UNKNOWN;
    const state = this.#locks.state(path.join(this.#folder, `${threadId}.lock`));
    if (state.kind === 'unknown') return UNKNOWN;
    if (state.kind !== 'held') return ABSENT;
    return running({ source: 'thread-lock', ...(state.pid === undefined ? {} : { pid: state.pid }) });
  }
}
