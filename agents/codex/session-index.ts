import fs from 'node:fs';
import path from 'node:path';
import { asText, parseObject, visitLastLines } from '../files/jsonl-window.ts';
import { sizeOf } from '../files/stamped-file.ts';

/** Read back at most this far: some ten thousand names. */
const LIMIT_BYTES = 2_097_152;

/**
 * The names of threads by id, from the end of `session_index.jsonl`. One line is appended per naming, so the last one
 * for an id counts. No file, or one that cannot be read: no names.
 */
export function readThreadNames(codexHome: string): Map<string, string> {
  return lastValues(path.join(codexHome, 'session_index.jsonl'), (record) => {
    const id = asText(record.id);
    const name = asText(record.thread_name);
    return id === undefined || name === undefined ? undefined : [id, name];
  });
}

/** When a prompt was last typed in a terminal, by thread id, in ms since 1970, from the end of `history.jsonl`. */
export function lastTypedTimes(codexHome: string): Map<string, number> {
  return lastValues(path.join(codexHome, 'history.jsonl'), (record) => {
    const id = asText(record.session_id);
    return id === undefined || typeof record.ts !== 'number' ? undefined : [id, record.ts * 1000];
  });
}

function lastValues<T>(
  file: string,
  read: (record: Record<string, unknown>) => [string, T] | undefined,
): Map<string, T> {
  const values = new Map<string, T>();
  let fd: number | undefined;
  try {
    const size = sizeOf(file);
    if (size === undefined) return values;
    fd = fs.openSync(file, 'r');
    visitLastLines(fd, size, LIMIT_BYTES, (line) => {
      const record = parseObject(line);
      const entry = record === undefined ? undefined : read(record);
      if (entry !== undefined && !values.has(entry[0])) values.set(...entry);
      return undefined;
    });
  } catch {
    // Names are an addition: the rollouts speak for themselves.
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
  return values;
}
