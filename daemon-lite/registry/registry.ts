import type { Clock } from '../../contract/clock.ts';
import type { Feed } from '../../contract/events.ts';
import type { EndPayload, ObservePayload, SessionEntry, WindowPayload } from '../../contract/messages.ts';
import { summarizeStates } from '../../contract/summary.ts';
import type {
  Decision,
  EndOutcome,
  ObserveOutcome,
  PidAction,
  ProcessTokens,
  RegistryApi,
  Route,
  WhyPayload,
} from './api.ts';
import { applyEnd, eventTime } from './ending.ts';
import { Listeners } from './listeners.ts';
import { compareEntries } from './order.ts';
import { judgePids, watchedPids } from './pid-liveness.ts';
import { NO_PROCESS_VIEW, type ProcessView } from './processes.ts';
import { applyRecord, DormantRecords, handToOtherRecord } from './record-intake.ts';
import type { RecordSighting } from './record-layer.ts';
import { RowStore } from './row-store.ts';
import { type Moment, SessionRow } from './session-row.ts';
import { applySighting, feedOf, processOf, rankOf, type SightingContext } from './sighting.ts';
import { explain } from './why.ts';
import { joinWindow, sourceOf, WindowReports } from './window-join.ts';

export interface RegistryOptions {
  clock: Clock;
  /** Looks processes up; without it every pid is taken at its word. */
  processes?: ProcessView;
  /** Pid namespace of the daemon: sightings that name another one prove nothing by their pid. */
  pidNamespace?: string;
}

/**
 * Every session this daemon knows, and what each one does. It merges the feeds by rank, decides who may speak for a
 * session and what a person sees, and tells subscribers when that changed. Pure: no IO, no timers, an injected clock.
 */
export class SessionRegistry implements RegistryApi {
  readonly #clock: Clock;
  readonly #processes: ProcessView;
  readonly #pidNamespace: string | undefined;
  readonly #rows: RowStore;
  readonly #windows: WindowReports;
  readonly #dormant = new DormantRecords();
  readonly #seenAlive = new Set<number>();
  readonly #changes = new Listeners<void>();
  readonly #decisions = new Listeners<Decision>();

  constructor(options: RegistryOptions) {
    this.#clock = options.clock;
    this.#processes = options.processes ?? NO_PROCESS_VIEW;
    this.#pidNamespace = options.pidNamespace;
    this.#rows = new RowStore((reason, row) => {
      for (const record of row.records.values()) this.#dormant.remember(record.pid, row.id, record.statusAt);
      this.#decisions.emit({ kind: 'removed', reason, id: row.id });
    });
    this.#windows = new WindowReports((reason, key) =>
      this.#decisions.emit({ kind: 'removed', reason, id: key }),
    );
  }

  observe(payload: ObservePayload, route: Route = 'socket'): ObserveOutcome {
    const now = this.#now();
    const reaped = this.#rows.reap(now.awake);
    const known = this.#rows.get(payload.session_id);
    const oldState = known?.shownState;
    const row = known ?? this.#create(payload, { ...now, wall: eventTime(payload, route, now) });
    const fieldsBefore = { ...row.fields };
    const ignored = applySighting(row, payload, known === undefined, this.#context(now, route));
    if (ignored === undefined) this.#supersedeOthers(row, payload, now);
    const changed = row.refresh(now);
    const filled = Object.entries(row.fields).some(([name, value]) => fieldsBefore[name as 'cwd'] !== value);
    const outcome = ignored ?? outcomeOf(known === undefined, changed, filled);
    const bumped = reaped > 0 || changed || filled;
    this.#decisions.emit({
      kind: 'session_observed',
      session_id: row.id,
      agent: row.agent,
      event: payload.event,
      pid: payload.pid,
      origin: route,
      outcome,
      old_state: oldState,
      new_state: row.shownState,
      reaped,
      bumped,
    });
    if (bumped) this.#changes.emit();
    return outcome;
  }

  end(payload: EndPayload, route: Route = 'socket'): { ended: boolean; outcome: EndOutcome } {
    const now = this.#now();
    const reaped = this.#rows.reap(now.awake);
    const row = this.#rows.get(payload.session_id);
    const outcome = row === undefined ? 'unknown' : applyEnd(row, payload, this.#context(now, route));
    const bumped = reaped > 0 || (row?.refresh(now) ?? false) || outcome === 'ended';
    this.#decisions.emit({
      kind: 'session_end',
      session_id: payload.session_id,
      pid: payload.pid,
      reason: payload.reason,
      origin: route,
      outcome,
      reaped,
      bumped,
    });
    if (bumped) this.#changes.emit();
    return { ended: outcome !== 'unknown', outcome };
  }

  window(payload: WindowPayload): void {
    const now = this.#now();
    const reaped = this.#windows.reap(now.awake);
    const changed = this.#windows.report(payload, now.awake);
    this.#settleWindow('window_report', payload.key, changed || reaped > 0, reaped);
  }

  unregisterWindow(key: string): boolean {
    const reaped = this.#windows.reap(this.#now().awake);
    const removed = this.#windows.unregister(key);
    this.#settleWindow('window_unregister', key, removed || reaped > 0, reaped);
    return removed;
  }

  record(sighting: RecordSighting): void {
    const now = this.#now();
    const reaped = this.#rows.reap(now.awake);
    const known = this.#rows.get(sighting.session_id);
    if (known?.supersededWall !== undefined && sighting.statusAt <= known.supersededWall) return;
    if (known === undefined && this.#dormant.covers(sighting, now)) return;
    const event = { stream_state: sighting.state ?? 'idle' } as const;
    const row = known ?? this.#create({ session_id: sighting.session_id, event }, now);
    if (row.ended && !this.#isNewSign(row, sighting)) return;
    if (row.ended) {
      row.revive(true);
      row.ownership.goesOnIn(sighting.pid);
    }
    const fieldsBefore = { ...row.fields };
    applyRecord(row, sighting, now);
    row.noteOtherProcesses(this.#processes);
    this.#dormant.forget(sighting.pid);
    this.#supersede(row, { pid: sighting.pid }, now);
    const filled = Object.entries(row.fields).some(([name, value]) => fieldsBefore[name as 'cwd'] !== value);
    if (row.refresh(now) || filled || reaped > 0) this.#changes.emit();
  }

  recordGone(sessionId: string, pid: number, how: 'removed' | 'dead' | 'unreadable'): void {
    const now = this.#now();
    this.#dormant.forget(pid);
    const row = this.#rows.get(sessionId);
    const record = row?.records.get(pid);
    if (row === undefined || record === undefined || row.ended) return;
    const attached = [...row.exact.values()].some((layer) => layer.attached(now.awake));
    const goesOn =
      handToOtherRecord(row, pid, this.#processes) ||
      row.ownership.belongsToAnother({ pid }, this.#processes);
    if (!goesOn && how !== 'unreadable' && (how === 'dead' || !attached))
      this.end({ session_id: sessionId, pid }, 'watcher');
    else if (row.refresh(now)) this.#changes.emit();
  }

  detachFeed(sessionId: string, feed: Feed): void {
    const row = this.#rows.get(sessionId);
    row?.exact.get(feed)?.lose();
    if (row?.refresh(this.#now()) === true) this.#changes.emit();
  }

  watchedPids(): number[] {
    return watchedPids(this.#rows.values());
  }

  pidTick(processes: ProcessTokens, orphans: ReadonlySet<number> = new Set()): PidAction[] {
    const now = this.#now();
    this.#rows.reap(now.awake);
    const actions = judgePids(this.#rows.values(), processes, orphans, this.#seenAlive);
    for (const { action, session_id } of actions) {
      const row = this.#rows.get(session_id);
      if (action === 'confirm') row?.seen(now);
      else this.#endWithProcess(session_id, row?.ownership.owner?.pid);
    }
    return actions;
  }

  has(sessionId: string): boolean {
    return this.#rows.get(sessionId) !== undefined;
  }

  list(): SessionEntry[] {
    const now = this.#now();
    this.#rows.reap(now.awake);
    this.#windows.reap(now.awake);
    return [...this.#rows.values()].map((row) => this.#entry(row, now)).sort(compareEntries);
  }

  why(idOrPrefix: string): WhyPayload | { candidates: string[] } {
    const now = this.#now();
    this.#rows.reap(now.awake);
    const exact = this.#rows.get(idOrPrefix);
    if (exact !== undefined) return explain(exact, now);
    const found = [...this.#rows.values()].filter(
      (row) => idOrPrefix !== '' && row.id.startsWith(idOrPrefix),
    );
    const [only] = found;
    return found.length === 1 && only !== undefined
      ? explain(only, now)
      : { candidates: found.map((row) => row.id).sort() };
  }

  summary(): string {
    return summarizeStates(this.list().map((entry) => entry.state));
  }

  nameRepository(cwd: string, repo: string): void {
    let changed = false;
    for (const row of this.#rows.values()) {
      if (row.fields.cwd === cwd) changed = row.fill({ repo }, true) || changed;
    }
    if (changed) this.#changes.emit();
  }

  focusFolder(sessionId: string): string | null {
    const now = this.#now();
    this.#rows.reap(now.awake);
    this.#windows.reap(now.awake);
    const row = this.#rows.get(sessionId);
    return row === undefined
      ? null
      : (joinWindow(this.#windows.values(), row.fields.cwd)?.folders[0] ?? null);
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  onDecision(listener: (decision: Decision) => void): () => void {
    return this.#decisions.add(listener);
  }

  settle(): number | undefined {
    const now = this.#now();
    let changed = false;
    let next: number | undefined;
    for (const row of this.#rows.values()) {
      changed = row.refresh(now) || changed;
      const at = row.nextChange(now.awake);
      if (at !== undefined && (next === undefined || at < next)) next = at;
    }
    if (changed) this.#changes.emit();
    // One millisecond past the bound: a layer still counts at the bound itself.
    return next === undefined ? undefined : next - now.awake + 1;
  }

  #now(): Moment {
    return { wall: this.#clock.wall(), awake: this.#clock.awake() };
  }

  #context(now: Moment, route: Route): SightingContext {
    return { now, route, processes: this.#processes, ownNamespace: this.#pidNamespace };
  }

  #create(payload: ObservePayload, now: Moment): SessionRow {
    const row = new SessionRow(payload.session_id, payload.agent ?? 'claude', payload.event, now);
    this.#rows.add(row);
    return row;
  }

  #entry(row: SessionRow, now: Moment): SessionEntry {
    const window = joinWindow(this.#windows.values(), row.fields.cwd);
    if (window === undefined && row.fields.cwd !== undefined && this.#windows.size > 0) {
      const { id: session_id, fields } = row;
      const miss = { session_id, cwd: fields.cwd ?? '', windows: this.#windows.size };
      this.#decisions.emit({ kind: 'session_attribution_miss', ...miss });
    }
    return row.entry(now, sourceOf(window));
  }

  #settleWindow(
    kind: 'window_report' | 'window_unregister',
    key: string,
    bumped: boolean,
    reaped: number,
  ): void {
    this.#decisions.emit({ kind, key, bumped, reaped });
    if (bumped) this.#changes.emit();
  }

  #endWithProcess(sessionId: string, pid: number | undefined): void {
    if (pid !== undefined)
      this.#decisions.emit({ kind: 'session_process_ended', session_id: sessionId, pid });
    this.end({ session_id: sessionId, ...(pid === undefined ? {} : { pid }) }, 'watcher');
  }

  /**
   * An ended row comes back by a record only when the record moved after the end, or is that of another process: a daemon
   * that was stalled hears of an end and of what came after it in one moment.
   */
  #isNewSign(row: SessionRow, { pid, statusAt }: RecordSighting): boolean {
    if (statusAt > row.lastSeenWall) return true;
    return !row.endedWith(pid) && !row.ownership.isOwner({ pid }, this.#processes);
  }

  #supersedeOthers(row: SessionRow, payload: ObservePayload, now: Moment): void {
    const process = processOf(payload, this.#pidNamespace);
    if (row.ended || payload.feed === undefined || process === undefined || process.namespace !== undefined)
      return;
    if (rankOf(feedOf(payload)) >= 2) this.#supersede(row, process, now);
  }

  /**
   * One live process has one session id: the id that a feed of rank 2 or more names last is the right one, and the row
   * that the process had before (`/clear` came between) ends. Codex's server serves many threads and is exempt.
   */
  #supersede(row: SessionRow, process: { pid: number }, now: Moment): void {
    if (row.agent !== 'claude') return;
    for (const other of this.#rows.values()) {
      if (other === row || other.ended || other.agent !== 'claude') continue;
      const owner = other.ownership.owner;
      if (owner?.pid !== process.pid || owner.namespace !== undefined) continue;
      const { outcome } = this.end({ session_id: other.id, pid: process.pid }, 'watcher');
      if (outcome === 'ended') other.supersededWall = now.wall;
    }
  }
}

function outcomeOf(created: boolean, changed: boolean, filled: boolean): ObserveOutcome {
  if (created) return 'created';
  if (changed) return 'state_changed';
  return filled ? 'fields_changed' : 'heartbeat_only';
}
