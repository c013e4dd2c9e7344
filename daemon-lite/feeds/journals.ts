import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ProcessTable } from '../../agents/system/process-table.ts';
import type { Clock } from '../../contract/clock.ts';
import { systemErrorCode } from '../../contract/errors.ts';
import type { ObservePayload } from '../../contract/messages.ts';
import { sessionFileName } from '../../contract/session-id.ts';
import type { TargetLog } from '../diagnostics/log.ts';
import type { RegistryApi } from '../registry/api.ts';
import { careForJournal, compactJournal } from '../registry/journal-housekeeping.ts';
import { inOrder, type JournalRecord, judgeJournal, type ProofOfLife } from '../registry/journal-replay.ts';
import type { Ingest } from '../server/ingest.ts';
import { BEAT_MS, every } from '../service/beat.ts';
import type { Feed } from '../service/feeds.ts';
import { FolderWatch } from './folder-watch.ts';
import { JournalFile, removeFile } from './journal-file.ts';
import { readJournalLine } from './journal-lines.ts';

const AGENTS = ['claude', 'codex'] as const;
type JournaledAgent = (typeof AGENTS)[number];

/** Everything is looked at this often, watched or not; the contract's rhythm. */
const POLL_MS = 5_000;
/** Without a native watch an event whose POST was lost must still show within a second. */
const FAST_POLL_MS = BEAT_MS;
/** How long reading many journals may hold the event loop at a time. */
const TURN_MS = 30;
/** A file without one usable record is junk once it rests this long. */
const JUNK_QUIET_MS = 120_000;

export interface JournalsOptions {
  journalsDir: string;
  uid: number;
  pidNamespace: string | undefined;
  table: ProcessTable;
  /** State of a Codex thread's writer lock, where it can be told. */
  codexLock?: (sessionId: string) => ProofOfLife['codexLock'];
  /** Wall time at which the machine started, in milliseconds, where it can be told. */
  bootedAt?: () => number | undefined;
  ingest: Pick<Ingest, 'observe' | 'end' | 'onSighting'>;
  registry: Pick<RegistryApi, 'has' | 'list'>;
  clock: Clock;
  log: TargetLog;
}

interface Known {
  file: JournalFile;
  accepted: boolean;
  records: number;
}

/**
 * Reads the hook journals: replays them when the daemon starts, follows them afterwards, so that an event whose POST was
 * lost is applied all the same, and tidies them up. Hooks own the events; the state is made here.
 */
export class Journals implements Feed {
  readonly name = 'journals';
  readonly #options: JournalsOptions;
  readonly #known = new Map<string, Known>();
  readonly #watches: FolderWatch[] = [];
  #stopTicking: () => void = () => {};
  #stopListening: () => void = () => {};
  #stopFast: (() => void) | undefined;
  #skipped = 0;
  #warned = false;
  #stopped = false;

  constructor(options: JournalsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopListening = this.#options.ingest.onSighting((payload) => this.#readFirst(payload));
    for (const agent of AGENTS) this.#begin(agent);
    this.#stopTicking = every(POLL_MS, () => this.#tick());
  }

  stop(): Promise<void> {
    this.#stopTicking();
    this.#stopListening();
    this.#stopFast?.();
    for (const watch of this.#watches) watch.close();
    this.#stopped = true;
    return Promise.resolve();
  }

  detail(): Record<string, unknown> {
    return { journals: this.#known.size, skipped_records: this.#skipped };
  }

  /** Reads what every journal gained. */
  lookAtAll(): void {
    for (const agent of AGENTS) {
      for (const name of this.#namesIn(agent)) this.look(agent, name);
    }
  }

  /** Reads what one journal gained; judges it first when it is new. */
  look(agent: JournaledAgent, name: string): void {
    const id = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '';
    if (sessionFileName(id) !== id) return;
    const file = path.join(this.#folder(agent), name);
    const known = this.#known.get(file) ?? { file: new JournalFile(file), accepted: false, records: 0 };
    const appendix = known.file.read(this.#options.uid);
    if (appendix === undefined) {
      this.#known.delete(file);
      return;
    }
    const isNew = !this.#known.has(file);
    this.#known.set(file, known);
    const records = this.#recordsOf(appendix.lines, agent, id);
    known.records += records.length;
    if (known.accepted) this.#apply(records);
    else if (records.length > 0) this.#firstSight(known, records, id);
    if (isNew && records.length > 0) this.#options.log.trace('session_journal_found', { session_id: id });
  }

  /** A hook's event is journaled before it is sent: what the journal holds from before it must be applied before it. */
  #readFirst({ agent = 'claude', session_id, stamp }: ObservePayload): void {
    const id = sessionFileName(session_id);
    if (stamp === undefined || id === undefined || (agent !== 'claude' && agent !== 'codex')) return;
    const name = `${id}.jsonl`;
    if (!this.#known.has(path.join(this.#folder(agent), name))) this.look(agent, name);
  }

  #begin(agent: JournaledAgent): void {
    const folder = this.#folder(agent);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      this.#warnOnce('journals_unavailable', systemErrorCode(error) ?? 'unknown');
    }
    this.#watches.push(
      new FolderWatch({
        folder,
        changed: (name) => (name === undefined ? this.lookAtAll() : this.look(agent, name)),
        failed: (code) => this.#watchFailed(code),
      }),
    );
    this.#replay(agent, this.#namesIn(agent));
  }

  /** Looks at many journals without holding the requests that come in meanwhile. */
  #replay(agent: JournaledAgent, names: string[]): void {
    const until = performance.now() + TURN_MS;
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      this.look(agent, name);
      if (performance.now() > until && !this.#stopped) {
        setImmediate(() => this.#replay(agent, names));
        return;
      }
    }
  }

  #tick(): void {
    for (const watch of this.#watches) watch.reopen();
    if (this.#watches.every((watch) => watch.native)) {
      this.#stopFast?.();
      this.#stopFast = undefined;
    }
    this.lookAtAll();
    if (this.#known.size > 0) this.#tidyAll();
    for (const agent of AGENTS) this.#removeLeftovers(agent);
  }

  #firstSight(known: Known, records: JournalRecord[], id: string): void {
    const { log } = this.#options;
    const verdict = judgeJournal(records, this.#options.clock.wall(), this.#proof(id));
    if (verdict.accept) {
      known.accepted = true;
      this.#apply(inOrder(records));
      log.debug('session_journal_replayed', {
        session_id: id,
        proven: verdict.proven,
        records: records.length,
      });
      return;
    }
    // A row that is already there must hear of its end, even when the journal is only now seen.
    if (records.some(({ payload }) => this.#options.registry.has(payload.session_id)))
      this.#apply(inOrder(records));
    log.debug('session_journal_rejected', { session_id: id, reason: verdict.reason });
    this.#remove(known, 'rejected');
  }

  #proof(id: string): ProofOfLife {
    const { table, codexLock, pidNamespace, bootedAt } = this.#options;
    const lock = codexLock?.(id);
    return {
      processStart: (pid) => {
        const entry = table.read(pid);
        if (entry === null || entry?.zombie === true) return undefined;
        return entry?.startedAt ?? null;
      },
      ...(lock === undefined ? {} : { codexLock: lock }),
      bootedAt: bootedAt?.(),
      pidNamespace,
    };
  }

  #apply(records: readonly JournalRecord[]): void {
    const { ingest } = this.#options;
    for (const record of records) {
      if (record.op === 'observe') void ingest.observe(record.payload, 'journal');
      else void ingest.end(record.payload, 'journal');
    }
  }

  /** The records of a journal; those of another session or agent are skipped and counted. */
  #recordsOf(lines: readonly string[], agent: JournaledAgent, id: string): JournalRecord[] {
    return lines.flatMap((line) => {
      const record = line === '' ? undefined : readJournalLine(line);
      if (record !== undefined && record.agent === agent && record.payload.session_id.toLowerCase() === id)
        return record;
      this.#skipped += line === '' ? 0 : 1;
      return [];
    });
  }

  #tidyAll(): void {
    const live = new Set(
      this.#options.registry
        .list()
        .filter((entry) => entry.state !== 'ended')
        .map((entry) => entry.session_id.toLowerCase()),
    );
    for (const known of this.#known.values()) this.#tidy(known, live);
  }

  #tidy(known: Known, live: ReadonlySet<string>): void {
    const file = known.file.path;
    let status: { size: number; mtimeMs: number };
    try {
      status = lstatSync(file);
    } catch {
      this.#known.delete(file);
      return;
    }
    const quietMs = this.#options.clock.wall() - status.mtimeMs;
    if (known.records === 0) {
      if (quietMs > JUNK_QUIET_MS) this.#remove(known, 'unreadable');
      return;
    }
    const id = path.basename(file, '.jsonl');
    const care = careForJournal({ sessionLive: live.has(id), quietMs, bytes: status.size, fullyRead: true });
    if (care === 'delete') this.#remove(known, 'orphan');
    if (
      care === 'compact' &&
      known.file.replace((content) => compactJournal(content, isPrompt), this.#options.uid)
    ) {
      this.#options.log.debug('session_journal_compacted', { session_id: id });
    }
  }

  #remove(known: Known, reason: string): void {
    this.#known.delete(known.file.path);
    removeFile(known.file.path);
    const id = path.basename(known.file.path, '.jsonl');
    this.#options.log.debug('session_journal_removed', { session_id: id, reason });
  }

  /** A compaction that a crash cut off leaves its temporary file. */
  #removeLeftovers(agent: JournaledAgent): void {
    for (const name of this.#namesIn(agent)) {
      const file = path.join(this.#folder(agent), name);
      if (!name.endsWith('.tmp') || file.includes(`.${process.pid}.`)) continue;
      if (removeFile(file)) this.#options.log.debug('session_journal_removed', { reason: 'stale_tmp' });
    }
  }

  #folder(agent: JournaledAgent): string {
    return path.join(this.#options.journalsDir, agent);
  }

  #namesIn(agent: JournaledAgent): string[] {
    try {
      return readdirSync(this.#folder(agent));
    } catch {
      return [];
    }
  }

  #watchFailed(code: string): void {
    this.#warnOnce('watch_failed_polling', code);
    this.#stopFast ??= every(FAST_POLL_MS, () => this.lookAtAll());
  }

  #warnOnce(event: string, code: string): void {
    if (this.#warned || code === 'ENOENT') return;
    this.#warned = true;
    this.#options.log.warn(event, { feed: this.name, code });
  }
}

function isPrompt(line: string): boolean {
  const record = readJournalLine(line);
  return record?.op === 'observe' && record.payload.event === 'user_prompt_submit';
}
