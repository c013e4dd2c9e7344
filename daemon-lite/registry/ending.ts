import type { EndPayload, Stamp } from '../../contract/messages.ts';
import type { EndOutcome, Route } from './api.ts';
import type { ProcessId } from './ownership.ts';
import { handToOtherRecord } from './record-intake.ts';
import type { Moment, SessionRow } from './session-row.ts';
import { processOf, type SightingContext } from './sighting.ts';
import { parseStamp } from './stamps.ts';

/** When a sighting happened: a journal's event has its own time, never one in the future. */
export function eventTime(payload: { stamp?: Stamp }, route: Route, now: Moment): number {
  const stamp = route === 'journal' ? parseStamp(payload.stamp) : undefined;
  return stamp === undefined ? now.wall : Math.min(stamp.at, now.wall);
}

/** Applies one `end` to its row: whether it counts, and whether another process goes on with the session. */
export function applyEnd(row: SessionRow, payload: EndPayload, context: SightingContext): EndOutcome {
  const { now, route } = context;
  const stamp = parseStamp(payload.stamp);
  const order = row.stamps.judge(stamp, route);
  if (order === 'duplicate') return 'duplicate_ignored';
  if (order === 'late') return route === 'journal' ? 'journal_stale_ignored' : 'stale_ignored';
  if (row.ended) return 'already_ended';
  const process = processOf(payload, context.ownNamespace);
  const refused = process === undefined ? undefined : refuseEnd(row, process, context);
  if (refused === 'handed_over') row.seen(now);
  if (refused !== undefined) return refused;
  row.stamps.applied('', stamp, false);
  row.end({ awake: now.awake, wall: eventTime(payload, route, now) }, stamp?.at);
  row.lastEvent = 'stop';
  row.seen(now, eventTime(payload, route, now));
  return 'ended';
}

/** Whether one process's end leaves the session to another process that is known to go on with it. */
function refuseEnd(
  row: SessionRow,
  process: ProcessId,
  context: SightingContext,
): 'replaced_pid_ignored' | 'handed_over' | undefined {
  const { ownership } = row;
  const { processes } = context;
  if (ownership.isReplaced(process)) {
    ownership.noteReplacedEnd(process);
    return 'replaced_pid_ignored';
  }
  if (process.namespace === undefined && handToOtherRecord(row, process.pid, processes)) return 'handed_over';
  if (!ownership.isOwner(process, processes)) {
    return ownership.othersLive(process, processes) ? 'replaced_pid_ignored' : undefined;
  }
  const state = ownership.handBack(processes);
  if (state === undefined) return undefined;
  row.detachOtherProcesses();
  row.noteOtherProcesses(processes);
  row.inferred.restore(state);
  return 'handed_over';
}
