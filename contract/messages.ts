import type { Agent, Background, Feed, Outcome, SessionEvent, SessionState } from './events.ts';

/** When and by which process an event was made: RFC 3339 time, and `<pid>-<nanoseconds>` unique per event. */
export interface Stamp {
  ts: string;
  seq: string;
}

/**
 * Payload of `observe`: one sighting of one session. Only `session_id` and `event` are required. The keys from
 * `feed` on are additive: daemons that do not know them ignore them.
 */
export interface ObservePayload {
  session_id: string;
  event: SessionEvent;
  cwd?: string;
  transcript_path?: string;
  repo?: string;
  model?: string;
  agent?: Agent;
  /** Set inside a subagent: the event is the subagent's, the session its parent. */
  agent_id?: string;
  /** The agent process, never the reporter's own. */
  pid?: number;
  stamp?: Stamp;
  feed?: Feed;
  background?: Background;
  outcome?: Outcome;
  /** Pid namespace of the reporter (`pid:[4026531836]`): a pid of another namespace proves nothing here. */
  pid_ns?: string;
  /** Name of the hook event behind the sighting, as the agent calls it. */
  hook?: string;
  /** Ids of the prompt, turn and tool call the event belongs to. They order late events; they carry no content. */
  prompt_id?: string;
  turn_id?: string;
  tool_use_id?: string;
  /** Words of the agent's protocol that the reporter did not understand so far, and how often they came. No content. */
  unknown_words?: Record<string, number>;
}

/** Most different words in one report, and the longest one that is told, in UTF-16 units. */
export const UNKNOWN_WORDS_LIMIT = 32;
export const UNKNOWN_WORD_LENGTH = 64;

/** Payload of `end`: the session is over, says the process `pid` where known. */
export interface EndPayload {
  session_id: string;
  reason?: string;
  pid?: number;
  stamp?: Stamp;
  feed?: Feed;
  pid_ns?: string;
}

/** Payload of `window`: what one editor window shows. Counts are whole numbers >= 0. */
export interface WindowPayload {
  key: string;
  folders: string[];
  tabs: number;
  terminals: number;
}

/** Where a session runs, as far as the window reports say. */
export type Source = { kind: 'terminal' } | { kind: 'vs_code'; window_key: string };

/** One row of `list` and of a `subscribe` frame. Unknown keys are omitted, never null. */
export interface SessionEntry {
  session_id: string;
  agent: Agent;
  state: SessionState;
  source: Source;
  last_event: SessionEvent;
  /** RFC 3339, UTC. */
  started_at: string;
  /** RFC 3339, UTC. */
  last_seen: string;
  cwd?: string;
  transcript_path?: string;
  repo?: string;
  model?: string;
  /** Additive: which feed decides the state. */
  feed?: Feed;
  /** Additive: RFC 3339, UTC; when the session entered its state. */
  since?: string;
  /** Additive: what runs on in the background. */
  background?: Background;
  /** Additive: how the last turn ended. */
  outcome?: Outcome;
  /** Additive: live processes on this session id, when more than one. */
  owners?: number;
  /** Additive: the exact feed that gave this state went silent and nothing else is known. */
  stale?: boolean;
}

/** Body of a `list` reply and of every `subscribe` frame. */
export interface SnapshotPayload {
  sessions: SessionEntry[];
}

/** One request line. `service` absent, null or `daemon` addresses the built-in ops. */
export interface Request {
  service?: string | null;
  op: string;
  payload?: unknown;
  origin_invocation_id?: string;
}

/** One reply line. */
export type Reply = { ok: true; payload?: unknown } | { ok: false; error: string };

/** Payload of a `ping` reply; the keys after `version` are additive. */
export interface PingPayload {
  pong: true;
  version: string;
  commit?: string;
  implementation?: string;
  capabilities?: string[];
  pid?: number;
}

/** A request to the sessions service. */
export function sessionsRequest(op: string, payload?: unknown): Request {
  return payload === undefined ? { service: 'sessions', op } : { service: 'sessions', op, payload };
}
