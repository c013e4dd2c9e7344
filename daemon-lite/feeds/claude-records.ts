import { existsSync } from 'node:fs';
import {
  isSameProcess,
  isSession,
  type LiveRecord,
  namespaceOf,
  readStatus,
} from '../../agents/claude/live-record.ts';
import type { ProcessEntry } from '../../agents/system/process-entry.ts';
import { isRunning, type ProcessTable } from '../../agents/system/process-table.ts';
import type { Clock } from '../../contract/clock.ts';
import type { TargetLog } from '../diagnostics/log.ts';
import type { RecordSighting } from '../registry/record-layer.ts';
import type { Ingest } from '../server/ingest.ts';
import { BEAT_MS, every } from '../service/beat.ts';
import type { Feed } from '../service/feeds.ts';
import { FolderWatch } from './folder-watch.ts';
import { isRecordName, readRecordFile, recordFileNames, recordFileStamp } from './record-folder.ts';

/** With a native watch the folder is read whole this often, as a net; without one far more often, as the only means. */
const SCAN_MS = 5_000;
const POLL_MS = 200;
/** The kernel is asked this often whether the recorded processes still exist. */
const GLANCE_MS = BEAT_MS;
/** Records that stand unchanged are re-asserted this often, well within the time after which their rows age out. */
const REASSERT_MS = 60_000;
/** A record caught half-written is read again after this long. */
const REREAD_MS = 40;

export interface ClaudeRecordsOptions {
  /** `<config>/sessions`. */
  folder: string;
  uid: number;
  pidNamespace: string | undefined;
  table: ProcessTable;
  ingest: Pick<Ingest, 'record' | 'recordGone'>;
  clock: Clock;
  log: TargetLog;
  running?: (pid: number) => boolean;
}

/**
 * Reads what Claude writes about its own live processes: exact states of every session on the machine, without anything
 * installed. Undocumented by its vendor, so everything about it is checked and nothing of it is trusted beyond that.
 */
export class ClaudeRecords implements Feed {
  readonly name = 'claude_records';
  readonly #options: ClaudeRecordsOptions;
  readonly #running: (pid: number) => boolean;
  readonly #live = new Map<string, LiveRecord>();
  readonly #stamps = new Map<string, string>();
  readonly #unknownWords = new Map<string, number>();
  #skipped = 0;
  #watch: FolderWatch | undefined;
  #stops: (() => void)[] = [];
  #stopGlancing: (() => void) | undefined;
  #stopAwaiting: (() => void) | undefined;
  #stopPolling: (() => void) | undefined;
  #warned = false;

  constructor(options: ClaudeRecordsOptions) {
    this.#options = options;
    this.#running = options.running ?? isRunning;
  }

  start(): void {
    this.#watch = new FolderWatch({
      folder: this.#options.folder,
      changed: (name) => (name === undefined ? this.scan() : this.#changed(name)),
      failed: (code) => this.#watchFailed(code),
    });
    this.#stops = [every(SCAN_MS, () => this.#look()), every(REASSERT_MS, () => this.reassert())];
    this.scan();
  }

  stop(): Promise<void> {
    this.#watch?.close();
    for (const stop of [...this.#stops, this.#stopGlancing, this.#stopPolling, this.#stopAwaiting]) stop?.();
    this.#stops = [];
    return Promise.resolve();
  }

  detail(): Record<string, unknown> {
    return {
      live: this.#live.size,
      skipped: this.#skipped,
      native_watch: this.#watch?.native === true,
      unknown_words: Object.fromEntries(this.#unknownWords),
    };
  }

  /** The folder is made by the first Claude that ever runs: its sessions must show as soon as any other's. */
  #awaitFolder(): void {
    this.#stopAwaiting ??= every(GLANCE_MS, () => {
      if (!existsSync(this.#options.folder)) return;
      this.#stopAwaiting?.();
      this.#stopAwaiting = undefined;
      this.#look();
    });
  }

  /** Reads every record of the folder, and notes which are gone. */
  scan(): void {
    const names = recordFileNames(this.#options.folder);
    if (names === undefined || (names.length === 0 && this.#live.size > 1)) return this.#folderLost();
    for (const name of names) {
      const stamp = recordFileStamp(this.#options.folder, name);
      if (stamp !== undefined && this.#stamps.get(name) === stamp) continue;
      if (stamp !== undefined) this.#stamps.set(name, stamp);
      this.read(name);
    }
    const present = new Set(names);
    for (const name of this.#stamps.keys()) if (!present.has(name)) this.#stamps.delete(name);
    for (const name of [...this.#live.keys()]) if (!present.has(name)) this.#gone(name, 'removed');
  }

  /** Reads one record file. */
  read(name: string, again = true): void {
    const found = readRecordFile(this.#options.folder, name, this.#options.uid);
    if (found === 'missing') return this.#gone(name, 'removed');
    if (found === 'incomplete' && again) {
      setTimeout(() => this.read(name, false), REREAD_MS).unref();
      return;
    }
    if (typeof found === 'string') {
      this.#skipped += 1;
      return;
    }
    this.#take(name, found.record);
  }

  /** Ends the sessions whose process died without removing its record. */
  glance(): void {
    for (const [name, record] of this.#live) {
      if (!this.#running(record.pid)) this.#gone(name, 'dead');
    }
    if (this.#live.size > 0) return;
    this.#stopGlancing?.();
    this.#stopGlancing = undefined;
  }

  /** Says again what stands unchanged. */
  reassert(): void {
    for (const [name, record] of this.#live) {
      const entry = this.#options.table.read(record.pid);
      if (this.#isLive(record, entry)) this.#report(record, entry);
      else this.#gone(name, 'dead');
    }
  }

  #look(): void {
    // A watch on a folder that was removed stays silent for ever, also when the folder is made anew.
    if (!existsSync(this.#options.folder)) this.#watch?.lost();
    this.#watch?.reopen();
    if (this.#watch?.native === true) {
      this.#stopPolling?.();
      this.#stopPolling = undefined;
    }
    this.scan();
  }

  #changed(name: string): void {
    if (isRecordName(name)) this.read(name);
  }

  #take(name: string, record: LiveRecord): void {
    const known = this.#live.get(name);
    if (known !== undefined && sameWords(known, record)) return;
    const entry = this.#options.table.read(record.pid);
    if (!isSession(record) || !this.#isLive(record, entry)) {
      if (known !== undefined) this.#gone(name, 'dead');
      return;
    }
    this.#live.set(name, record);
    this.#stopGlancing ??= every(GLANCE_MS, () => this.glance());
    this.#report(record, entry);
    if (known !== undefined && known.sessionId !== record.sessionId) {
      this.#options.ingest.recordGone(known.sessionId, known.pid, 'removed');
    }
  }

  #isLive(record: LiveRecord, entry: ProcessEntry | null | undefined): boolean {
    const { pidNamespace } = this.#options;
    const namespace = namespaceOf(record.pidDomain);
    if (namespace !== undefined && pidNamespace !== undefined && namespace !== pidNamespace) return false;
    if (entry === undefined) return this.#running(record.pid);
    if (entry === null || entry.zombie) return false;
    return isSameProcess(record, { alive: true, token: entry.token, startedAt: entry.startedAt });
  }

  #report(record: LiveRecord, entry: ProcessEntry | null | undefined): void {
    const reading = readStatus(record, this.#options.clock.wall());
    if (reading === 'unknown_word') {
      const word = record.status ?? '';
      if (this.#unknownWords.size < 32) this.#unknownWords.set(word, (this.#unknownWords.get(word) ?? 0) + 1);
    }
    const token = entry?.token;
    const sighting: RecordSighting = {
      session_id: record.sessionId,
      pid: record.pid,
      statusAt: record.statusUpdatedAt ?? record.startedAt,
      startedAt: record.startedAt,
      ...(token === undefined ? {} : { token }),
      ...(record.cwd === undefined ? {} : { cwd: record.cwd }),
      ...(record.entrypoint === undefined ? {} : { entrypoint: record.entrypoint }),
      ...(typeof reading === 'object' ? { state: reading.state } : {}),
      ...(record.status === 'shell' ? { background: { subagents: 0, shells: 1 } } : {}),
    };
    this.#options.ingest.record(sighting);
  }

  #gone(name: string, how: 'removed' | 'dead' | 'unreadable'): void {
    const record = this.#live.get(name);
    if (record === undefined) return;
    this.#live.delete(name);
    this.#options.ingest.recordGone(record.sessionId, record.pid, how);
  }

  /** Many records vanish at once when someone removes the folder, not when sessions end: only the dead ones ended. */
  #folderLost(): void {
    for (const [name, record] of [...this.#live]) {
      const isLive = this.#isLive(record, this.#options.table.read(record.pid));
      this.#gone(name, isLive ? 'unreadable' : 'dead');
    }
  }

  /** A folder that is not there yet needs no poll: it is looked for with every scan. */
  #watchFailed(code: string): void {
    if (code === 'ENOENT') this.#awaitFolder();
    if (code !== 'ENOENT') this.#stopPolling ??= every(POLL_MS, () => this.scan());
    if (this.#warned || code === 'ENOENT') return;
    this.#warned = true;
    this.#options.log.warn('watch_failed_polling', { feed: this.name, code });
  }
}

function sameWords(left: LiveRecord, right: LiveRecord): boolean {
  return (
    left.sessionId === right.sessionId &&
    left.status === right.status &&
    left.waitingFor === right.waitingFor &&
    left.statusUpdatedAt === right.statusUpdatedAt &&
    left.procStart === right.procStart &&
    left.cwd === right.cwd
  );
}
