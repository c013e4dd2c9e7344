import type { Agent } from '../contract/events.ts';
import type { Stamp } from '../contract/messages.ts';
import { sessionFileName } from '../contract/session-id.ts';
import type { HookOperation } from './claude-mapping.ts';

/** A journal longer than this is tended by nobody: the sink stops appending. */
export const JOURNAL_LIMIT_BYTES = 512 * 1024;

/** A journal nobody wrote to for this long is deleted when a new one starts. */
export const JOURNAL_MAX_AGE_MS = 7 * 24 * 3_600_000;

/**
 * Path of a session's journal relative to the journals directory, or undefined when it has none: only canonical UUIDs
 * may name a file, and only agents with hooks are journaled.
 */
export function journalPath(agent: Agent, sessionId: string): string | undefined {
  const name = sessionFileName(sessionId);
  return name === undefined || agent === 'pi' ? undefined : `${agent}/${name}.jsonl`;
}

/** One journal line, newline included: the operation as it is sent, with its stamp in front. */
export function journalLine(agent: Agent, operation: HookOperation, stamp: Stamp): string {
  const { session_id, ...rest } = operation.payload;
  const { agent: _agent, stamp: _stamp, feed: _feed, ...fields } = rest as Record<string, unknown>;
  return `${JSON.stringify({ v: 1, ...stamp, agent, session_id, op: operation.op, ...fields })}\n`;
}
