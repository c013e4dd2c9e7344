import { lstatSync } from 'node:fs';
import path from 'node:path';
import { type RolloutHead, readRolloutHead } from '../../agents/codex/rollout-head.ts';
import { type LockReading, type LockState, lockStateOf } from '../../agents/codex/thread-locks.ts';
import { readTurnMark, type TurnStanding } from '../../agents/codex/turn-end.ts';
import { type Clock, rfc3339 } from '../../contract/clock.ts';
import type { Feed as FeedName } from '../../contract/events.ts';
import type { ObservePayload } from '../../contract/messages.ts';
import type { TargetLog } from '../diagnostics/log.ts';
import type { RegistryApi } from '../registry/api.ts';
import type { Ingest } from '../server/ingest.ts';
import { RolloutFolders } from './codex-rollout-folders.ts';

/** A rollout that nobody wrote to for longer is no news; the contract's figure for transcripts too. */
const RECENT_MS = 300_000;
/** A living session is said to live this often, so that it does not age out while nothing happens. */
const HEARTBEAT_MS = 60_000;
/** Said again this soon when the row had just ended: the same thread was loaded anew. */
const ENDED_AGAIN_MS = 5_000;
/** A lock counts as released when this many readings in a row do not show it held: one reading may miss it. */
const RELEASED_READINGS = 2;
/** A turn is this thread's present one when it began after the thread was loaded, give or take. */
const LOADED_SLACK_MS = 2_000;

interface Tracked {
  threadId: string;
  file: string;
  cwd: string | undefined;
  size: number;
  lockMadeAt: number | undefined;
  seenHeld: boolean;
  notHeld: number;
  saidAt: number;
  grewAt: number;
  standing: TurnStanding | undefined;
}

export interface CodexRolloutsOptions {
  codexHome: string;
  ingest: Pick<Ingest, 'observe' | 'end'>;
  registry: Pick<RegistryApi, 'list'>;
  clock: Clock;
  log: TargetLog;
  readTurn?: typeof readTurnMark;
}

/**
 * Notices the Codex sessions of one home by their rollouts and thread locks, whatever runs them. A rollout is discovered
 * by its first line. A held lock proves that its thread is loaded, and a lock that is released ends it, however its
 * process died. Of what a rollout gains, only the records that begin and end a turn are looked at, and of those only
 * which they are: so a session that nobody reports shows work and rest, and never a wait.
 */
export class CodexRollouts {
  readonly #options: CodexRolloutsOptions;
  readonly #folders: RolloutFolders;
  readonly #tracked = new Map<string, Tracked>();
  /** Threads of subagents and of Codex itself. */
  readonly #notSessions = new Set<string>();
  #stamps = 0;

  constructor(options: CodexRolloutsOptions) {
    this.#options = options;
    this.#folders = new RolloutFolders(path.join(options.codexHome, 'sessions'));
  }

  detail(): Record<string, unknown> {
    return { rollouts: this.#folders.count, live: this.#tracked.size };
  }

  /** True when this home holds the thread's rollout. */
  has(threadId: string): boolean {
    return this.#folders.fileOf(threadId) !== undefined;
  }

  /** Looks at the locks: about once a second. */
  lookAtLocks(reading: LockReading): void {
    const loaded = [...reading.locks].filter(([, { state }]) => state === 'held').map(([id]) => id);
    const unseen = loaded.filter((id) => !this.#tracked.has(id) && !this.#notSessions.has(id));
    // A thread has its lock before its rollout: that appears with the first turn.
    if (unseen.some((id) => !this.has(id))) this.#folders.lookAtNewest();
    for (const id of unseen) this.#consider(id, reading);
    for (const tracked of [...this.#tracked.values()]) this.#judgeLock(tracked, reading);
  }

  /** Looks at the rollouts: every five seconds. */
  lookAtRollouts(reading: LockReading): void {
    const now = this.#options.clock.wall();
    for (const { threadId, mtimeMs } of this.#folders.look()) {
      if (now - mtimeMs > RECENT_MS || this.#tracked.has(threadId)) continue;
      // A thread that is known not to be loaded has ended, however new its rollout is.
      if (canLive(lockStateOf(reading, threadId), reading.supported)) this.#consider(threadId, reading);
    }
    for (const tracked of [...this.#tracked.values()]) this.#lookAtFile(tracked);
  }

  #consider(threadId: string, reading: LockReading): void {
    const file = this.#folders.fileOf(threadId);
    const size = file === undefined ? undefined : sizeOf(file);
    if (file === undefined || size === undefined || this.#notSessions.has(threadId)) return;
    const head = readRolloutHead(file, size);
    // Without a whole first line yet: it is looked at again when it has grown.
    if (head === undefined) return;
    if (head.threadId === threadId && head.isSession) this.#track(threadId, file, size, head, reading);
    else this.#notSessions.add(threadId);
  }

  #track(threadId: string, file: string, size: number, head: RolloutHead, reading: LockReading): void {
    const now = this.#options.clock.awake();
    const lock = reading.locks.get(threadId);
    const tracked: Tracked = {
      threadId,
      file,
      cwd: head.cwd,
      size,
      lockMadeAt: lock?.madeAt,
      seenHeld: lock?.state === 'held',
      notHeld: 0,
      saidAt: now,
      grewAt: now,
      standing: undefined,
    };
    this.#tracked.set(threadId, tracked);
    this.#options.log.debug('codex_rollout_found', { session_id: threadId, locked: tracked.seenHeld });
    void this.#say(tracked, 'rollout');
    void this.#lookAtTurn(tracked);
  }

  #judgeLock(tracked: Tracked, reading: LockReading): void {
    const state = lockStateOf(reading, tracked.threadId);
    if (state === 'held') {
      tracked.seenHeld = true;
      tracked.notHeld = 0;
      if (this.#options.clock.awake() - tracked.saidAt >= HEARTBEAT_MS)
        void this.#say(tracked, 'thread_lock');
      return;
    }
    if (!tracked.seenHeld) return;
    tracked.notHeld += 1;
    // Codex removes the file of a lock that it releases; of a killed process the file stays.
    if (state === 'absent' || tracked.notHeld >= RELEASED_READINGS) this.#end(tracked, 'lock_released');
  }

  #lookAtFile(tracked: Tracked): void {
    const size = sizeOf(tracked.file);
    const now = this.#options.clock.awake();
    if (size === undefined) {
      this.#end(tracked, 'rollout_moved');
    } else if (size !== tracked.size) {
      tracked.size = size;
      tracked.grewAt = now;
      if (now - tracked.saidAt >= HEARTBEAT_MS) void this.#say(tracked, 'rollout');
      void this.#lookAtTurn(tracked);
    } else if (!tracked.seenHeld && now - tracked.grewAt > RECENT_MS) {
      this.#tracked.delete(tracked.threadId);
    }
  }

  /** Tells when a turn began or ended, as the rollout's records say it. */
  async #lookAtTurn(tracked: Tracked): Promise<void> {
    const isFirst = tracked.standing === undefined;
    const mark = await (this.#options.readTurn ?? readTurnMark)(tracked.file);
    if (mark === undefined || this.#tracked.get(tracked.threadId) !== tracked) return;
    if (mark.standing === tracked.standing) return;
    tracked.standing = mark.standing;
    if (mark.at === undefined) return;
    if (mark.standing === 'running') {
      // A turn whose process was killed stays open in the rollout for ever.
      const isPresent =
        !isFirst || tracked.lockMadeAt === undefined || mark.at >= tracked.lockMadeAt - LOADED_SLACK_MS;
      if (isPresent) this.#tellTurn(tracked, mark.at, { event: 'transcript_grew' });
    } else if (this.#isBusy(tracked.threadId)) {
      this.#tellTurn(tracked, mark.at, { event: 'stop', outcome: mark.standing });
    }
  }

  #tellTurn({ threadId }: Tracked, at: number, what: Pick<ObservePayload, 'event' | 'outcome'>): void {
    this.#stamps += 1;
    const stamp = { ts: rfc3339(at), seq: `${process.pid}-${at}${String(this.#stamps).padStart(6, '0')}` };
    const payload: ObservePayload = { session_id: threadId, agent: 'codex', feed: 'rollout', stamp, ...what };
    // The record has its own time: what happened since must win, as over a late journal.
    void this.#options.ingest.observe(payload, 'journal');
  }

  /** Only a row that shows work or a wait can be brought to rest; one that has ended must not come back by this. */
  #isBusy(threadId: string): boolean {
    const row = this.#options.registry.list().find(({ session_id }) => session_id === threadId);
    return row !== undefined && row.state !== 'ended' && row.state !== 'idle';
  }

  async #say(tracked: Tracked, feed: FeedName): Promise<void> {
    tracked.saidAt = this.#options.clock.awake();
    const payload: ObservePayload = {
      session_id: tracked.threadId,
      event: 'transcript_discovered',
      agent: 'codex',
      feed,
      transcript_path: tracked.file,
      ...(tracked.cwd === undefined ? {} : { cwd: tracked.cwd }),
    };
    const outcome = await this.#options.ingest.observe(payload, 'watcher');
    if (outcome === 'ended_passive_ignored') tracked.saidAt += ENDED_AGAIN_MS - HEARTBEAT_MS;
  }

  #end({ threadId }: Tracked, reason: string): void {
    this.#tracked.delete(threadId);
    const feed = reason === 'lock_released' ? 'thread_lock' : 'rollout';
    void this.#options.ingest.end({ session_id: threadId, reason, feed }, 'watcher');
  }
}

/** Whether a thread may be loaded: its lock is held, or locks cannot tell. */
function canLive(lock: LockState, supported: boolean): boolean {
  if (lock === 'held' || lock === 'unknown') return true;
  return lock === 'absent' && !supported;
}

function sizeOf(file: string): number | undefined {
  try {
    const stats = lstatSync(file);
    return stats.isFile() ? stats.size : undefined;
  } catch {
    return undefined;
  }
}
