import { rfc3339 } from '../../contract/clock.ts';
import type { Agent, Background, Feed, Outcome, SessionEvent, SessionState } from '../../contract/events.ts';
import { isBusy } from '../../contract/events.ts';
import type { SessionEntry, Source } from '../../contract/messages.ts';
import { ExactLayer, type ExactReport } from './exact-layer.ts';
import { InferredLayer } from './inferred-layer.ts';
import { Ownership } from './ownership.ts';
import type { ProcessView } from './processes.ts';
import type { RecordLayer } from './record-layer.ts';
import { StampMemory } from './stamps.ts';

/** Wall and awake time of one moment, in milliseconds. */
export interface Moment {
  wall: number;
  awake: number;
}

/** The layer that decides a row's state, and by which rule. */
export interface Verdict {
  state: SessionState;
  feed: Feed;
  rule: string;
  stale: boolean;
  background?: Background | undefined;
  outcome?: Outcome | undefined;
}

/** Fields that any feed may fill in; a newer value replaces an older one, an absent one erases nothing. */
export interface BestEffortFields {
  cwd?: string | undefined;
  transcript_path?: string | undefined;
  repo?: string | undefined;
  model?: string | undefined;
}

const FIELD_NAMES = ['cwd', 'transcript_path', 'repo', 'model'] as const;

/** What a session with several processes shows: a wait is never hidden, and work beats rest. */
const PROCESS_ORDER: readonly SessionState[] = ['waiting_for_permission', 'waiting_for_input', 'working'];

/** One session: its layers, who owns it, and what was last shown of it. */
export class SessionRow {
  readonly id: string;
  readonly agent: Agent;
  readonly fields: BestEffortFields = {};
  readonly inferred = new InferredLayer();
  readonly exact = new Map<Feed, ExactLayer>();
  readonly records = new Map<number, RecordLayer>();
  readonly ownership = new Ownership();
  readonly stamps = new StampMemory();
  readonly startedWall: number;
  lastEvent: SessionEvent;
  lastSeenWall: number;
  /** Awake time of the last sign of life; the TTL counts from here. */
  lastSeenAwake: number;
  prompted = false;
  /** Awake and wall time at which the session ended. */
  endedAwake: number | undefined;
  endedWall: number | undefined;
  /** Wall time at which the agent itself says that it ended; it may be told long after. */
  endedByStampWall: number | undefined;
  /** Wall time at which another session took over this one's process. */
  supersededWall: number | undefined;
  #shown: { state: SessionState; stale: boolean; owners: number } | undefined;
  /** What is shown differs from what subscribers were told. */
  #untold = true;
  #sinceWall: number;
  /** The feed that decided when the session ended. */
  #decider: Feed | undefined;
  /** The processes that were on the session when it ended. */
  #endedWith: ReadonlySet<number> = new Set();

  constructor(id: string, agent: Agent, event: SessionEvent, now: Moment) {
    this.id = id;
    this.agent = agent;
    this.lastEvent = event;
    this.startedWall = now.wall;
    this.lastSeenWall = now.wall;
    this.lastSeenAwake = now.awake;
    this.#sinceWall = now.wall;
  }

  get ended(): boolean {
    return this.endedAwake !== undefined;
  }

  /** Fills fields in; true when one took a new value. With `onlyMissing` nothing known is replaced. */
  fill(fields: BestEffortFields, onlyMissing = false): boolean {
    let changed = false;
    for (const name of FIELD_NAMES) {
      const value = fields[name];
      if (value === undefined || value === this.fields[name]) continue;
      if (onlyMissing && this.fields[name] !== undefined) continue;
      this.fields[name] = value;
      changed = true;
    }
    return changed;
  }

  /** Notes a sign of life. A journal's event has its own time, which moves the visible stamp neither back nor ahead. */
  seen(now: Moment, eventWall = now.wall): void {
    this.lastSeenWall = Math.max(this.lastSeenWall, Math.min(eventWall, now.wall));
    this.lastSeenAwake = now.awake;
  }

  reportExact(report: ExactReport): void {
    const layer = this.exact.get(report.feed);
    if (layer === undefined) this.exact.set(report.feed, new ExactLayer(report));
    else layer.report(report);
  }

  /** The owner changed: exact layers that carry another pid no longer count; those without a pid stay. */
  detachOtherProcesses(): void {
    const owner = this.ownership.owner;
    for (const [feed, layer] of this.exact) {
      if (layer.process !== undefined && layer.process.pid !== owner?.pid) this.exact.delete(feed);
    }
    this.inferred.forgetProcess();
  }

  /** @param stampedWall when the agent itself says that it ended, where it does. */
  end(now: Moment, stampedWall?: number): void {
    this.#decider = this.decide(now.awake).feed;
    this.endedAwake = now.awake;
    this.endedWall = now.wall;
    this.endedByStampWall = stampedWall;
    const { owner, replaced } = this.ownership;
    const pids = [...replaced, ...(owner === undefined ? [] : [owner])].map(({ pid }) => pid);
    this.#endedWith = new Set([...this.records.keys(), ...pids]);
    this.ownership.close();
    this.exact.clear();
    this.records.clear();
  }

  /** True for a process that was on the session when it ended. */
  endedWith(pid: number): boolean {
    return this.#endedWith.has(pid);
  }

  /**
   * The session goes on. What was inferred of it before is forgotten.
   *
   * @param newRun it is begun anew, by a process that nothing is known of yet.
   */
  revive(newRun: boolean): void {
    this.ownership.reopen();
    this.inferred.forget();
    if (newRun) {
      delete this.fields.model;
      this.prompted = false;
    }
    this.endedAwake = undefined;
    this.endedWall = undefined;
    this.endedByStampWall = undefined;
    this.supersededWall = undefined;
  }

  /** Which layer decides now, and why. */
  decide(awake: number): Verdict {
    if (this.ended) {
      const outcome = this.inferred.outcome;
      const feed = this.#decider ?? this.inferred.feed;
      return { state: 'ended', feed, rule: 'the session ended', stale: false, outcome };
    }
    const exact = this.#decideExact(awake);
    if (exact !== undefined) return this.#decideOtherProcess(awake, exact.state) ?? exact;
    return this.#decideRecord(awake) ?? this.#decideInferred();
  }

  /** Processes known to live on this session, at least one. */
  get owners(): number {
    const records = [...this.records.values()];
    const ownerHasNone = records.every((record) => record.ofAnother);
    return records.length + (ownerHasNone ? 1 : 0);
  }

  /** Finds out which records are those of other living processes than the owner. */
  noteOtherProcesses(processes: ProcessView): void {
    for (const record of this.records.values()) {
      const process = { pid: record.pid };
      record.ofAnother =
        !this.ownership.isOwner(process, processes) && this.ownership.othersLive(process, processes);
    }
  }

  /** Works the visible state out anew. True when subscribers have to be told of what they were not told yet. */
  refresh(now: Moment): boolean {
    this.#look(now);
    const untold = this.#untold;
    this.#untold = false;
    return untold;
  }

  /** Notes what there is to see now. A mere reader may be the first to see what time alone changed: it is not told then. */
  #look(now: Moment): void {
    const { state, stale } = this.decide(now.awake);
    const { owners } = this;
    const shown = this.#shown;
    if (shown?.state !== state) this.#sinceWall = now.wall;
    if (shown?.state === state && shown.stale === stale && shown.owners === owners) return;
    this.#shown = { state, stale, owners };
    this.#untold = true;
  }

  get shownState(): SessionState | undefined {
    return this.#shown?.state;
  }

  /** Next awake time at which time alone may change the deciding layer. */
  nextChange(awake: number): number | undefined {
    if (this.ended) return undefined;
    let next: number | undefined;
    for (const layer of [...this.exact.values(), ...this.records.values()]) {
      const at = layer.detachesAt;
      if (at !== undefined && at >= awake && (next === undefined || at < next)) next = at;
    }
    return next;
  }

  entry(now: Moment, source: Source): SessionEntry {
    this.#look(now);
    const verdict = this.decide(now.awake);
    const outcome = isBusy(verdict.state) ? undefined : verdict.outcome;
    return {
      session_id: this.id,
      agent: this.agent,
      state: verdict.state,
      source,
      last_event: this.lastEvent,
      started_at: rfc3339(this.startedWall),
      last_seen: rfc3339(this.lastSeenWall),
      ...definedFields(this.fields),
      feed: verdict.feed,
      since: rfc3339(this.#sinceWall),
      ...(verdict.background === undefined ? {} : { background: verdict.background }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(this.owners > 1 ? { owners: this.owners } : {}),
      ...(verdict.stale ? { stale: true } : {}),
    };
  }

  #decideExact(awake: number): Verdict | undefined {
    let latest: ExactLayer | undefined;
    for (const layer of this.exact.values()) {
      if (!layer.attached(awake)) continue;
      if (latest === undefined || layer.reportedAwake > latest.reportedAwake) latest = layer;
    }
    if (latest === undefined) return undefined;
    return this.#verdict(latest, latest.feed, 'an attached exact feed decides');
  }

  #decideRecord(awake: number): Verdict | undefined {
    const live = [...this.records.values()].filter((record) => record.attached(awake));
    const urgent = PROCESS_ORDER.map((state) => live.find((record) => record.state === state));
    const newest = live.sort((left, right) => right.statusAt - left.statusAt)[0];
    const record = urgent.find((found) => found !== undefined) ?? newest;
    if (record?.state === undefined) return undefined;
    const layer = { state: record.state, background: record.background, outcome: undefined };
    return this.#verdict(layer, 'claude_record', 'the live record of the process decides');
  }

  /** An exact feed speaks for its own process alone: what another one does, and is more urgent, its record says. */
  #decideOtherProcess(awake: number, state: SessionState): Verdict | undefined {
    const place = PROCESS_ORDER.indexOf(state);
    const moreUrgent = place === -1 ? PROCESS_ORDER : PROCESS_ORDER.slice(0, place);
    const others = [...this.records.values()].filter((record) => record.ofAnother && record.attached(awake));
    for (const urgent of moreUrgent) {
      const other = others.find((record) => record.state === urgent);
      if (other === undefined) continue;
      const layer = { state: urgent, background: other.background };
      return this.#verdict(layer, 'claude_record', 'the record of another process on this session decides');
    }
    return undefined;
  }

  #decideInferred(): Verdict {
    const { state, feed } = this.inferred;
    if (state !== undefined) {
      const { background, outcome } = this.inferred;
      return { state, feed, rule: 'no exact feed is attached', stale: false, background, outcome };
    }
    const last = [...this.exact.values()].sort((left, right) => right.reportedAwake - left.reportedAwake)[0];
    if (last !== undefined) {
      return this.#verdict(last, last.feed, `kept from the last exact report: ${last.detachedBecause}`, true);
    }
    return { state: 'idle', feed, rule: 'nothing but passive sightings', stale: false };
  }

  #verdict(
    layer: { state: SessionState; background?: Background | undefined; outcome?: Outcome | undefined },
    feed: Feed,
    rule: string,
    stale = false,
  ): Verdict {
    return {
      state: layer.state,
      feed,
      rule,
      stale,
      background: layer.background ?? this.inferred.background,
      outcome: layer.outcome ?? this.inferred.outcome,
    };
  }
}

function definedFields(fields: BestEffortFields): Partial<SessionEntry> {
  const known: Partial<SessionEntry> = {};
  for (const name of FIELD_NAMES) {
    const value = fields[name];
    if (value !== undefined) known[name] = value;
  }
  return known;
}
