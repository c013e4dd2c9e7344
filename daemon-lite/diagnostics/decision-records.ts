import type { SessionEvent } from '../../contract/events.ts';
import type { Decision } from '../registry/api.ts';
import type { Log, LogFields } from './log.ts';

/** Writes one record per decision of the registry: what was seen, what became of it, and whether it was pushed. */
export function decisionRecorder(log: Log): (decision: Decision) => void {
  const target = log.target('omni_dev::sessions');
  return (decision) => {
    const level = levelOf(decision);
    if (target.enabled(level)) target[level](nameOf(decision), fieldsOf(decision));
  };
}

/** Reaps of single rows are counted in the record of what caused them already, so they are traces. */
function levelOf(decision: Decision): 'debug' | 'trace' {
  if (decision.kind === 'removed') return isEviction(decision) ? 'debug' : 'trace';
  return decision.kind === 'session_process_ended' ? 'trace' : 'debug';
}

function nameOf(decision: Decision): string {
  if (decision.kind !== 'removed') return decision.kind;
  return isEviction(decision) ? 'evicted' : 'reaped';
}

/** An eviction takes a live row away because the table is full. */
function isEviction(decision: Decision & { kind: 'removed' }): boolean {
  return decision.reason === 'session_cap' || decision.reason === 'window_cap';
}

function fieldsOf(decision: Decision): LogFields {
  if (decision.kind === 'session_observed') {
    const { kind: _, event, ...fields } = decision;
    return { ...fields, event: eventWord(event) };
  }
  const { kind: _, ...fields } = decision;
  return fields;
}

/** An event as one word: `stop`, `notification:idle_prompt`, `stream_state:working`. */
export function eventWord(event: SessionEvent): string {
  if (typeof event === 'string') return event;
  return 'notification' in event
    ? `notification:${event.notification}`
    : `stream_state:${event.stream_state}`;
}
