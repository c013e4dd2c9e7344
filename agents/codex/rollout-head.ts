import { closeSync, openSync } from 'node:fs';
import { asObject, asText, parseObject, visitFirstLines } from '../files/jsonl-window.ts';
import { subagentSource } from './protocol.ts';

/** The first line carries the model's instructions and is some 30 KB long. */
const FIRST_LINE_BYTES = 256 * 1024;

/** What the first line of a rollout says about its thread. */
export interface RolloutHead {
  threadId: string;
  cwd: string | undefined;
  /** False for the threads of subagents and of Codex's own reviews: they belong to another session. */
  isSession: boolean;
}

/**
 * Reads the first line of a rollout, and nothing after it.
 *
 * @returns undefined when there is no whole first line yet, or none that is a `session_meta`.
 */
export function readRolloutHead(file: string, size: number): RolloutHead | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    let head: RolloutHead | undefined;
    visitFirstLines(descriptor, size, FIRST_LINE_BYTES, (line) => {
      head = headOf(parseObject(line));
      return 'stop';
    });
    return head;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function headOf(record: Record<string, unknown> | undefined): RolloutHead | undefined {
  const payload = record?.type === 'session_meta' ? asObject(record.payload) : undefined;
  const threadId = asText(payload?.id);
  if (payload === undefined || threadId === undefined) return undefined;
  const belongsToAnother =
    subagentSource(payload.source) !== undefined || payload.thread_source === 'guardian_review';
  return { threadId: threadId.toLowerCase(), cwd: asText(payload.cwd), isSession: !belongsToAnother };
}
