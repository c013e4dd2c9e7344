import { z } from 'zod';
import { parseRfc3339 } from '../../contract/clock.ts';
import type { EndPayload, ObservePayload } from '../../contract/messages.ts';
import { endSchema, observeSchema } from '../../contract/schema/wire.ts';
import { sessionFileName } from '../../contract/session-id.ts';
import type { JournalRecord } from '../registry/journal-replay.ts';

const headSchema = z.object({
  v: z.literal(1),
  ts: z.string(),
  seq: z.string().min(1),
  agent: z.enum(['claude', 'codex']),
  session_id: z.string(),
  op: z.enum(['observe', 'end']),
});

/**
 * Reads one line of a hook journal, or returns undefined: a torn line, junk, a record of a newer format, of an agent
 * without journals, or with an id no journal is named for. Such a line is skipped and counted, never an error.
 */
export function readJournalLine(line: string): JournalRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const head = headSchema.safeParse(value);
  if (!head.success) return undefined;
  const { ts, seq, agent, session_id, op } = head.data;
  const at = parseRfc3339(ts);
  if (at === undefined || sessionFileName(session_id) === undefined) return undefined;
  const stamp = { ts, seq };
  const body = { ...(value as object), agent, stamp };
  if (op === 'end') {
    const end = endSchema.safeParse(body);
    return end.success ? { op, agent, stamp, at, payload: defined(end.data) as EndPayload } : undefined;
  }
  const observe = observeSchema.safeParse(body);
  return observe.success
    ? { op, agent, stamp, at, payload: defined(observe.data) as ObservePayload }
    : undefined;
}

function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}
