import { parseRfc3339 } from '../../contract/clock.ts';
import { sessionFileName } from '../../contract/session-id.ts';
import type { JournalRecord } from '../registry/journal-replay.ts';
import { fieldsOf, readEnd, readObserve } from '../server/payloads.ts';

/**
 * Reads one line of a hook journal, or returns undefined: a torn line, junk, a record of a newer format, of an agent
 * without journals, or with an id no journal is named for. Such a line is skipped and counted, never an error.
 */
export function readJournalLine(line: string): JournalRecord | undefined {
  const from = objectIn(line);
  if (from === undefined || from.v !== 1) return undefined;
  const { ts, seq, agent, session_id, op } = from;
  if (typeof ts !== 'string' || typeof seq !== 'string' || seq === '') return undefined;
  if (agent !== 'claude' && agent !== 'codex') return undefined;
  const at = parseRfc3339(ts);
  if (at === undefined || typeof session_id !== 'string' || sessionFileName(session_id) === undefined)
    return undefined;
  const stamp = { ts, seq };
  const body = { ...from, stamp };
  if (op === 'end') {
    const payload = readEnd(body);
    return payload && { op, agent, stamp, at, payload };
  }
  const observe = op === 'observe' ? readObserve(body) : undefined;
  if (observe === undefined || 'problem' in observe) return undefined;
  return { op: 'observe', agent, stamp, at, payload: observe.value };
}

function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}
