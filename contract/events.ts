/**
 * The vocabulary of the wire: states, agents, events and feeds. Every value here is fixed by the sessions service's
 * contract (docs/protocol.md); a value that is not listed is an error reply, an unknown key is ignored.
 */

/** What a session is doing right now. */
export const SESSION_STATES = [
  'starting',
  'working',
  'idle',
  'waiting_for_input',
  'waiting_for_permission',
  'ended',
] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** Which program the session belongs to. Absent on the wire means `claude`. */
export const AGENTS = ['claude', 'pi', 'codex'] as const;
export type Agent = (typeof AGENTS)[number];

/** What a `{notification}` event says. */
export const NOTIFICATION_KINDS = ['permission_prompt', 'idle_prompt', 'agent_needs_input', 'other'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Events that are a plain word on the wire. */
export const PLAIN_EVENTS = [
  'session_start',
  'user_prompt_submit',
  'pre_tool_use',
  'post_tool_use',
  'stop',
  'transcript_grew',
  'transcript_discovered',
] as const;
export type PlainEvent = (typeof PLAIN_EVENTS)[number];

/** One sighting's event as it stands on the wire. */
export type SessionEvent = PlainEvent | { notification: NotificationKind } | { stream_state: SessionState };

/**
 * Who speaks in an `observe` (additive key `feed`). Exact feeds read the agent's own protocol; the vendor record is
 * what Claude writes about its own live processes; hooks and passive feeds are inference.
 */
export const FEEDS = [
  'claude_stream',
  'codex_server',
  'terminal_status',
  'pi_extension',
  'claude_record',
  'hook',
  'transcript',
  'rollout',
  'thread_lock',
] as const;
export type Feed = (typeof FEEDS)[number];

/** How the last turn ended (additive key `outcome`). */
export const OUTCOMES = ['done', 'failed', 'interrupted'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Work that goes on after a turn ended (additive key `background`): running subagents and background shells. */
export interface Background {
  subagents: number;
  shells: number;
}

function oneOf<T extends string>(values: readonly T[]): (value: unknown) => value is T {
  const known = new Set<unknown>(values);
  return (value): value is T => known.has(value);
}

export const isSessionState = oneOf(SESSION_STATES);
export const isAgent = oneOf(AGENTS);
export const isNotificationKind = oneOf(NOTIFICATION_KINDS);
export const isPlainEvent = oneOf(PLAIN_EVENTS);
export const isFeed = oneOf(FEEDS);
export const isOutcome = oneOf(OUTCOMES);

/** True for the states that mean "blocked on you". */
export function isWaiting(state: SessionState): boolean {
  return state === 'waiting_for_input' || state === 'waiting_for_permission';
}

/** True for the states an exact feed re-reports while they last: working and both waits. */
export function isBusy(state: SessionState): boolean {
  return state === 'working' || isWaiting(state);
}
