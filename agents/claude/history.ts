import fs from 'node:fs';
import { asText, parseObject, visitLastLines } from '../files/jsonl-window.ts';
import { sizeOf } from '../files/stamped-file.ts';

/** Read back at most this far: some thousands of prompts. */
const LIMIT_BYTES = 1_048_576;

/**
 * When a prompt was last typed in a terminal, by session id, in ms since 1970, from the end of `history.jsonl`. Answers
 * for transcripts whose last prompt lies behind more output than is read. Commands (`/exit`) are no prompts.
 */
export function lastTypedTimes(history: string): Map<string, number> {
  const times = new Map<string, number>();
  let fd: number | undefined;
  try {
    const size = sizeOf(history);
    if (size === undefined) return times;
    fd = fs.openSync(history, 'r');
    visitLastLines(fd, size, LIMIT_BYTES, (line) => {
      const record = parseObject(line);
      const sessionId = asText(record?.sessionId);
      const typed = asText(record?.display);
      if (sessionId === undefined || typed === undefined || typed.startsWith('/')) return undefined;
      if (typeof record?.timestamp !== 'number' || times.has(sessionId)) return undefined;
      times.set(sessionId, record.timestamp);
      return undefined;
    });
  } catch {
    // A hint only: without it the transcripts speak alone.
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
  return times;
}
