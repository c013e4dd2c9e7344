import type { Feed, SessionEvent, SessionState } from '../../contract/events.ts';
import type { EndPayload, ObservePayload, SessionEntry, WindowPayload } from '../../contract/messages.ts';
import type { WhyPayload } from '../../contract/why.ts';
import type { RecordSighting } from './record-layer.ts';

export type { FeedReading, WhyPayload } from '../../contract/why.ts';

/** By which way a sighting came in. A journal's time is its own; a watcher is inside the daemon. */
export type Route = 'socket' | 'journal' | 'watcher';

/** What became of one sighting; the words are those of the daemon's diagnostics. */
export type ObserveOutcome =
  | 'created'
  | 'state_changed'
  | 'fields_changed'
  | 'heartbeat_only'
  | 'duplicate_ignored'
  | 'stale_ignored'
  | 'journal_stale_ignored'
  | 'ended_passive_ignored'
  | 'replaced_pid_ignored';

export type EndOutcome =
  | 'ended'
  | 'already_ended'
  | 'unknown'
  | 'duplicate_ignored'
  | 'stale_ignored'
  | 'journal_stale_ignored'
  | 'replaced_pid_ignored'
  | 'handed_over';

/** Why a row or a window report disappeared. */
export type RemovalReason = 'session_ttl' | 'ended_ttl' | 'window_ttl' | 'session_cap' | 'window_cap';

/** One decision of the registry, as the diagnostics report it. Ids, words and counts only. */
export type Decision =
  | {
      kind: 'session_observed';
      session_id: string;
      agent: string;
      event: SessionEvent;
      pid: number | undefined;
      origin: Route;
      outcome: ObserveOutcome;
      old_state: SessionState | undefined;
      new_state: SessionState | undefined;
      reaped: number;
      bumped: boolean;
    }
  | {
      kind: 'session_end';
      session_id: string;
      pid: number | undefined;
      reason: string | undefined;
      origin: Route;
      outcome: EndOutcome;
      reaped: number;
      bumped: boolean;
    }
  | { kind: 'window_report' | 'window_unregister'; key: string; bumped: boolean; reaped: number }
  | { kind: 'removed'; reason: RemovalReason; id: string }
  | { kind: 'session_process_ended'; session_id: string; pid: number }
  | { kind: 'session_attribution_miss'; session_id: string; cwd: string; windows: number };

/** A start-time token, or null when the process lives but its token cannot be read. Absent pids are gone. */
export type ProcessTokens = ReadonlyMap<number, string | null>;

/** One action of a pid poll. */
export interface PidAction {
  action: 'confirm' | 'end';
  session_id: string;
}

/** The registry as the server and the feeds see it. Every call is synchronous and does no IO. */
export interface RegistryApi {
  observe(payload: ObservePayload, route?: Route): ObserveOutcome;
  end(payload: EndPayload, route?: Route): { ended: boolean; outcome: EndOutcome };
  window(payload: WindowPayload): void;
  unregisterWindow(key: string): boolean;
  /** Takes what Claude's live record of one process says; its identity was checked by the feed. */
  record(sighting: RecordSighting): void;
  /** A live record is gone: cleanly removed, its process is dead, or the folder itself can no longer be read. */
  recordGone(sessionId: string, pid: number, how: 'removed' | 'dead' | 'unreadable'): void;
  /** The connection behind an exact feed is lost: the row shows the layer below, or stays as it was, marked stale. */
  detachFeed(sessionId: string, feed: Feed): void;
  /** Pids of live rows that the pid watcher has to look at. */
  watchedPids(): number[];
  /** One poll of the pid watcher. `orphans` lost both terminal and parent: that they live keeps no row. */
  pidTick(processes: ProcessTokens, orphans?: ReadonlySet<number>): PidAction[];
  /** A repository's name that was found too late for the sightings that waited for it. */
  nameRepository(cwd: string, repo: string): void;
  has(sessionId: string): boolean;
  /** The rows in contract order; reaps, but never bumps. */
  list(): SessionEntry[];
  /** Rows by exact id or unique prefix: none, one, or the ids that share the prefix. */
  why(idOrPrefix: string): WhyPayload | { candidates: string[] };
  /** `N session(s): X working, Y waiting, Z idle`. */
  summary(): string;
  /** First folder of the window that the session is attributed to, or null. */
  focusFolder(sessionId: string): string | null;
  /** Calls back after every visible change; the result stops that. */
  onChange(listener: () => void): () => void;
  /** Calls back with every decision, for diagnostics; the result stops that. */
  onDecision(listener: (decision: Decision) => void): () => void;
  /**
   * Applies what time alone changes (a silent exact feed detaches, a drift is found) and bumps when a row's visible
   * state moved. Returns the awake milliseconds until the next such moment, or undefined when none is ahead.
   */
  settle(): number | undefined;
}
