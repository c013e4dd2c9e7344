import type { Feed, SessionEvent, SessionState } from '../../contract/events.ts';
import type { ObservePayload } from '../../contract/messages.ts';
import type { ObserveOutcome, Route } from './api.ts';
import { type InferredSighting, isPassive, waitOf } from './inferred-layer.ts';
import type { ProcessId } from './ownership.ts';
import type { ProcessView } from './processes.ts';
import type { Moment, SessionRow } from './session-row.ts';
import { type ParsedStamp, parseStamp } from './stamps.ts';

const EXACT_FEEDS: ReadonlySet<Feed> = new Set([
  'claude_stream',
  'codex_server',
  'terminal_status',
  'pi_extension',
]);

/** Rank of a feed's layer: exact 3, vendor record 2, hooks 1, passive 0. */
export function rankOf(feed: Feed): number {
  if (EXACT_FEEDS.has(feed)) return 3;
  if (feed === 'claude_record') return 2;
  return feed === 'hook' ? 1 : 0;
}

function streamStateOf(event: SessionEvent): SessionState | undefined {
  return typeof event === 'object' && 'stream_state' in event ? event.stream_state : undefined;
}

/** The state that one event tells by itself, or undefined when it tells none. */
function stateTold(event: SessionEvent): SessionState | undefined {
  if (isPassive(event)) return undefined;
  if (event === 'session_start') return 'starting';
  if (event === 'stop') return 'idle';
  return streamStateOf(event) ?? waitOf(event) ?? 'working';
}

/** The feed a sighting comes from: as it says, or for a sender that does not say, as its event and agent imply. */
export function feedOf(payload: ObservePayload): Feed {
  const exact = streamStateOf(payload.event) !== undefined;
  if (payload.feed !== undefined && EXACT_FEEDS.has(payload.feed) === exact) return payload.feed;
  if (exact) {
    if (payload.agent === 'codex') return 'codex_server';
    return payload.agent === 'pi' ? 'pi_extension' : 'claude_stream';
  }
  const passive = payload.event === 'transcript_grew' || payload.event === 'transcript_discovered';
  if (!passive) return 'hook';
  return payload.agent === 'codex' ? 'rollout' : 'transcript';
}

/** The process a payload names, or undefined; a pid of the daemon's own namespace carries none. */
export function processOf(
  payload: { pid?: number | undefined; pid_ns?: string | undefined },
  ownNamespace: string | undefined,
): ProcessId | undefined {
  if (payload.pid === undefined) return undefined;
  const foreign =
    payload.pid_ns !== undefined && ownNamespace !== undefined && payload.pid_ns !== ownNamespace;
  return foreign ? { pid: payload.pid, namespace: payload.pid_ns } : { pid: payload.pid };
}

/** Everything that judging one sighting needs besides the row. */
export interface SightingContext {
  now: Moment;
  route: Route;
  processes: ProcessView;
  ownNamespace: string | undefined;
}

/**
 * Applies one sighting to its row: who may speak, in which order, and which layer it changes. Returns the outcome, or
 * undefined when it was applied: whether a person sees a difference is for the caller to find out.
 */
export function applySighting(
  row: SessionRow,
  payload: ObservePayload,
  creates: boolean,
  context: SightingContext,
): Extract<ObserveOutcome, `${string}_ignored`> | undefined {
  const stamp = parseStamp(payload.stamp);
  const order = row.stamps.judge(stamp, context.route);
  if (order === 'duplicate') return 'duplicate_ignored';
  const state = streamStateOf(payload.event);
  const isSubagent = isSubagentEvent(row, payload);
  if (row.ended && state === undefined && (isSubagent || isPassive(payload.event)))
    return 'ended_passive_ignored';
  // An end that is told again is no sign of life.
  if (row.ended && state === 'ended') return 'ended_passive_ignored';
  const process = processOf(payload, context.ownNamespace);
  const begins = payload.event === 'session_start' || payload.event === 'user_prompt_submit';
  if (row.ended && isFromThePast(row, stamp, process, begins, context.processes)) return 'stale_ignored';
  if (order === 'late') return applyLate(row, payload, stamp, process, context);

  const claim = row.ownership.claim(process, row.shownState ?? 'idle', context.processes, begins);
  if (claim === 'replaced') {
    const told = isSubagent ? undefined : stateTold(payload.event);
    if (process !== undefined && told !== undefined)
      row.ownership.noteReplaced(process, told, state !== undefined);
    return 'replaced_pid_ignored';
  }
  if (claim === 'taken_over') {
    row.detachOtherProcesses();
    row.noteOtherProcesses(context.processes);
  }
  row.stamps.applied(isSubagent ? (payload.agent_id ?? '') : '', stamp, false);
  if (row.ended) row.revive(payload.event === 'session_start' || claim === 'taken_over');
  if (state === undefined) applyInferred(row, payload, stamp, creates, context.now);
  else applyExact(row, payload, state, claim === 'no_proof' ? undefined : process, context.now);
  row.fill(payload);
  row.lastEvent = payload.event;
  row.seen(context.now, context.route === 'journal' ? (stamp?.at ?? context.now.wall) : context.now.wall);
  return undefined;
}

/**
 * True when an event comes from before the end that was noted, or from the very process whose death was: an asynchronous
 * hook that outlived its agent brings no session back. The end may be heard of long after it was stamped, together with the
 * beginning of the next run: a beginning is held against the stamp alone.
 */
function isFromThePast(
  row: SessionRow,
  stamp: ParsedStamp | undefined,
  process: ProcessId | undefined,
  begins: boolean,
  processes: ProcessView,
): boolean {
  const endedAt = begins ? (row.endedByStampWall ?? row.endedWall) : row.endedWall;
  if (stamp !== undefined && endedAt !== undefined && stamp.at <= endedAt) return true;
  const { owner } = row.ownership;
  if (process === undefined || owner === undefined || process.namespace !== undefined) return false;
  return process.pid === owner.pid && processes.look(process.pid)?.alive === false;
}

function isSubagentEvent(row: SessionRow, payload: ObservePayload): boolean {
  return row.agent === 'claude' && payload.agent_id !== undefined && payload.agent_id.trim() !== '';
}

function applyExact(
  row: SessionRow,
  payload: ObservePayload,
  state: SessionState,
  process: ProcessId | undefined,
  now: Moment,
): void {
  const feed = feedOf(payload);
  const { background, outcome } = payload;
  row.reportExact({ feed, state, process, background, outcome, ...now });
  if (row.agent === 'claude') row.ownership.streamed = true;
  if (state === 'ended') row.end(now);
}

function inferredOf(row: SessionRow, payload: ObservePayload, at: number): InferredSighting | undefined {
  const { event } = payload;
  if (typeof event === 'object' && 'stream_state' in event) return undefined;
  return {
    event,
    feed: feedOf(payload),
    at,
    agentId: isSubagentEvent(row, payload) ? payload.agent_id : undefined,
    hook: payload.hook,
    turnId: payload.turn_id ?? payload.prompt_id,
    toolUseId: payload.tool_use_id,
    background: payload.background,
    outcome: payload.outcome,
  };
}

function applyInferred(
  row: SessionRow,
  payload: ObservePayload,
  stamp: ParsedStamp | undefined,
  creates: boolean,
  now: Moment,
): void {
  const sighting = inferredOf(row, payload, stamp?.at ?? now.wall);
  if (sighting === undefined) return;
  row.inferred.apply(sighting, creates);
  notePrompt(row, sighting, now);
}

/** A prompt marks the session as prompted and asks the feeds above to confirm it. */
function notePrompt(row: SessionRow, sighting: InferredSighting, now: Moment): void {
  if (sighting.event !== 'user_prompt_submit' || sighting.agentId !== undefined) return;
  row.prompted = true;
  for (const layer of row.exact.values()) layer.promptSeen(sighting.at, now);
  for (const record of row.records.values()) if (!record.ofAnother) record.promptSeen(sighting.at, now);
}

/**
 * A sighting behind the newest applied one never moves the main state, but what it knows is not lost: it fills missing
 * fields, marks the session prompted, and sets or releases its own agent's wait.
 */
function applyLate(
  row: SessionRow,
  payload: ObservePayload,
  stamp: ParsedStamp | undefined,
  process: ProcessId | undefined,
  context: SightingContext,
): Extract<ObserveOutcome, `${string}_ignored`> | undefined {
  if (process !== undefined && row.ownership.isReplaced(process)) return 'replaced_pid_ignored';
  const stale = context.route === 'journal' ? 'journal_stale_ignored' : 'stale_ignored';
  if (row.ended) return stale;
  const sighting = inferredOf(row, payload, stamp?.at ?? context.now.wall);
  if (sighting === undefined) return stale;
  const agentKey = sighting.agentId ?? '';
  const newest = row.stamps.newestOfAgent(agentKey, stamp);
  row.stamps.applied(agentKey, stamp, true);
  const filled = row.fill(payload, true);
  notePrompt(row, sighting, context.now);
  const waited = (newest || row.inferred.isOvertakenRequest(sighting)) && row.inferred.applyLate(sighting);
  return filled || waited ? undefined : stale;
}
