import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../contract/clock.ts';
import type { TargetLog } from '../diagnostics/log.ts';
import type { Ingest } from '../server/ingest.ts';
import { every } from '../service/beat.ts';
import type { Feed } from '../service/feeds.ts';
import { FolderWatch } from './folder-watch.ts';
import { TranscriptScan, transcriptObservation, transcriptSessionId } from './transcript-scan.ts';

/** Without native watches everything is looked at this often; the contract's rhythm. */
const POLL_MS = 5_000;
/** With native watches a full look is only a net for events that the platform dropped. */
const FULL_LOOK_MS = 600_000;
/** A file that grows all the time is looked at no more often than this. */
const SETTLE_MS = 250;

export interface TranscriptsOptions {
  /** `<config>/projects`, or what OMNI_DEV_CLAUDE_PROJECTS_DIR names. */
  root: string;
  ingest: Pick<Ingest, 'observe'>;
  clock: Clock;
  log: TargetLog;
}

/**
 * Notices sessions by their transcripts: `root/<folder>/<session id>.jsonl`, exactly two levels. Only names, sizes and
 * times are read. Changes come from the platform's watches; where those are exhausted it polls and tries them again.
 */
export class Transcripts implements Feed {
  readonly name = 'transcripts';
  readonly #options: TranscriptsOptions;
  readonly #scan = new TranscriptScan();
  readonly #folders = new Map<string, FolderWatch>();
  readonly #pending = new Map<string, NodeJS.Timeout>();
  #root: FolderWatch | undefined;
  #stopTicking: () => void = () => {};
  #lastFullLook = Number.NEGATIVE_INFINITY;
  #warned = false;
  #counts = { candidates: 0, sightings: 0, errors: 0 };

  constructor(options: TranscriptsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#root = new FolderWatch({
      folder: this.#options.root,
      changed: (name) => (name === undefined ? this.lookAtAll() : this.#lookAtFolder(name)),
      failed: (code) => this.#watchFailed(code),
    });
    this.lookAtAll();
    this.#stopTicking = every(POLL_MS, () => this.#tick());
  }

  stop(): Promise<void> {
    this.#stopTicking();
    for (const timer of this.#pending.values()) clearTimeout(timer);
    for (const watch of [this.#root, ...this.#folders.values()]) watch?.close();
    this.#folders.clear();
    return Promise.resolve();
  }

  detail(): Record<string, unknown> {
    const polled = [...this.#folders.values()].filter((watch) => !watch.native).length;
    return { ...this.#counts, folders: this.#folders.size, polled_folders: polled };
  }

  /** Looks at every transcript. */
  lookAtAll(): void {
    this.#lastFullLook = this.#options.clock.awake();
    this.#counts = { candidates: 0, sightings: 0, errors: 0 };
    for (const name of this.#namesIn(this.#options.root)) this.#lookAtFolder(name);
    this.#options.log.debug('transcript_scan', { ...this.#counts });
  }

  #tick(): void {
    this.#root?.reopen();
    const due = this.#options.clock.awake() - this.#lastFullLook >= FULL_LOOK_MS;
    if (due || this.#root?.native !== true) return this.lookAtAll();
    for (const [folder, watch] of this.#folders) if (!watch.native) this.#lookAtFolder(folder);
  }

  #lookAtFolder(name: string): void {
    const folder = path.join(this.#options.root, name);
    if (!isFolder(folder)) {
      this.#folders.get(name)?.close();
      this.#folders.delete(name);
      return;
    }
    if (!this.#folders.has(name)) this.#folders.set(name, this.#watchFolder(folder));
    for (const file of this.#namesIn(folder)) this.#lookAtFile(path.join(folder, file));
  }

  #watchFolder(folder: string): FolderWatch {
    return new FolderWatch({
      folder,
      changed: (name) => {
        if (name !== undefined) this.#lookSoon(path.join(folder, name));
      },
      failed: (code) => this.#watchFailed(code),
    });
  }

  #lookSoon(file: string): void {
    if (transcriptSessionId(path.basename(file)) === undefined || this.#pending.has(file)) return;
    const timer = setTimeout(() => {
      this.#pending.delete(file);
      this.#lookAtFile(file);
    }, SETTLE_MS);
    timer.unref();
    this.#pending.set(file, timer);
  }

  #lookAtFile(file: string): void {
    const sessionId = transcriptSessionId(path.basename(file));
    if (sessionId === undefined) return;
    this.#counts.candidates += 1;
    try {
      const status = lstatSync(file);
      if (!status.isFile()) return;
      const stamp = { size: status.size, mtimeMs: status.mtimeMs };
      const sighting = this.#scan.look(file, sessionId, stamp, this.#options.clock.wall());
      if (sighting === undefined) return;
      this.#counts.sightings += 1;
      void this.#options.ingest.observe(transcriptObservation(sighting), 'watcher');
    } catch {
      this.#counts.errors += 1;
    }
  }

  #namesIn(folder: string): string[] {
    try {
      return readdirSync(folder);
    } catch {
      this.#counts.errors += 1;
      return [];
    }
  }

  #watchFailed(code: string): void {
    if (this.#warned || code === 'ENOENT') return;
    this.#warned = true;
    this.#options.log.warn('watch_failed_polling', { feed: this.name, code });
  }
}

function isFolder(folder: string): boolean {
  try {
    return lstatSync(folder).isDirectory();
  } catch {
    return false;
  }
}
