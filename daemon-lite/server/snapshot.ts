import { LINE_LIMIT_BYTES } from '../../contract/line-splitter.ts';
import type { SessionEntry } from '../../contract/messages.ts';
import { okLine } from './replies.ts';

/** A `list` reply or `subscribe` frame as a finished line. It always fits the line limit. */
export function encodeList(entries: SessionEntry[], limit = LINE_LIMIT_BYTES): string {
  const line = okLine({ sessions: entries });
  // A character takes at most three bytes of UTF-8 per UTF-16 unit: the exact count is needed only near the limit.
  if (line.length * 3 <= limit || Buffer.byteLength(line) - 1 <= limit) return line;
  return okLine({ sessions: fitting(entries, limit) });
}

/**
 * The rows that fit into one line: first without the transcript paths, then without the rows that were silent longest.
 * Only a flood of absurdly long paths gets here; clients would refuse the whole line otherwise.
 */
function fitting(entries: SessionEntry[], limit: number): SessionEntry[] {
  const lean = entries.map(({ transcript_path: _, ...entry }) => entry);
  const freshestFirst = [...lean].sort((a, b) => (a.last_seen < b.last_seen ? 1 : -1));
  const kept = new Set<SessionEntry>();
  let bytes = Buffer.byteLength(okLine({ sessions: [] }));
  for (const entry of freshestFirst) {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes > limit) break;
    kept.add(entry);
  }
  return lean.filter((entry) => kept.has(entry));
}
