import { type FSWatcher, watch } from 'node:fs';
import { systemErrorCode } from '../../contract/errors.ts';

/** After a native watch failed, it is tried again this often. */
const RETRY_MS = 60_000;

export interface FolderWatchOptions {
  folder: string;
  /** A name in the folder changed, or something did (undefined) and everything has to be looked at. */
  changed(name: string | undefined): void;
  /** The native watch could not be had, with the system's code: the folder has to be polled meanwhile. */
  failed?(code: string): void;
  watchFolder?: typeof watch;
}

/**
 * Watches one folder by the platform's own means. It never gives up for good: where the means are exhausted it says so,
 * and tries again later; a missing folder counts as a failure.
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  #watcher: FSWatcher | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
    this.#open();
  }

  /** True while changes are told without polling. */
  get native(): boolean {
    return this.#watcher !== undefined;
  }

  /** Tries again now, when the watch is down: the folder may have appeared. */
  reopen(): void {
    if (this.#watcher !== undefined || this.#closed) return;
    clearTimeout(this.#retry);
    this.#open();
  }

  /** The folder is known to be gone: the watch on it is given up, and counts as one that failed. */
  lost(): void {
    if (this.#watcher !== undefined) this.#fail({ code: 'ENOENT' });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #open(): void {
    const { folder, changed, watchFolder = watch } = this.#options;
    try {
      const watcher = watchFolder(folder, { persistent: false }, (_event, name) => {
        if (!this.#closed) changed(name ?? undefined);
      });
      watcher.on('error', (error) => this.#fail(error));
      this.#watcher = watcher;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    if (this.#closed) return;
    this.#options.failed?.(systemErrorCode(error) ?? 'unknown');
    this.#retry = setTimeout(() => this.#open(), RETRY_MS);
    this.#retry.unref();
  }
}
