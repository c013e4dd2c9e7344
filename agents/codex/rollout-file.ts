import fs from 'node:fs';
import { parseRfc3339 } from '../../contract/clock.ts';
import { type EndLimits, recordTime, type TimedPrompt } from '../files/ends-of-session.ts';
import { asObject, asText, parseObject, visitFirstLines, visitLastLines } from '../files/jsonl-window.ts';
import { type RolloutPrompt, rolloutPromptOf } from './rollout-prompt.ts';

/** What the first line of a rollout says about its thread. */
export interface RolloutMeta {
  threadId: string | undefined;
  cwd: string | undefined;
  startedAt: number | undefined;
  /** `cli`, `vscode`, `exec`, ...; undefined for a thread that another thread or the server started. */
  source: string | undefined;
  originator: string | undefined;
  gitUrl: string | undefined;
  gitBranch: string | undefined;
  forkedFrom: string | undefined;
}

/** What bounded reads of a rollout's two ends tell about it. */
export interface RolloutSummary {
  /** Undefined when the first line is not a `session_meta` or longer than the limit. */
  meta: RolloutMeta | undefined;
  lastActivityAt: number | undefined;
  firstPrompt: string | undefined;
  /** The latest prompts seen, oldest first. */
  prompts: TimedPrompt[];
  /** False when the read ended before the prompts asked for were found. */
  promptsComplete: boolean;
}

const PROMPT_MARKS = ['"UserMessage"', '"user_message"', '"role":"user"'].map((mark) => Buffer.from(mark));

/**
 * Reads both ends of a rollout. The first line carries the model's instructions and is some 30 KB long.
 *
 * @param size bytes of the file at the time of the listing
 * @throws a Node system error when the file cannot be opened or read
 */
export function readRollout(file: string, size: number, limits: EndLimits): RolloutSummary {
  const fd = fs.openSync(file, 'r');
  try {
    const tail = readTail(fd, size, limits);
    const head = readHead(fd, size, limits.headBytes);
    const first = head.firstPrompt ?? tail.prompts[0];
    return {
      meta: head.meta,
      lastActivityAt: tail.lastActivityAt ?? head.meta?.startedAt,
      firstPrompt: first?.text,
      prompts: tail.prompts.length === 0 && first !== undefined ? [first] : tail.prompts,
      promptsComplete: tail.complete,
    };
  } finally {
    fs.closeSync(fd);
  }
}

interface Tail {
  lastActivityAt: number | undefined;
  prompts: TimedPrompt[];
  complete: boolean;
}

function readTail(fd: number, size: number, limits: EndLimits): Tail {
  let lastActivityAt: number | undefined;
  const found: Record<RolloutPrompt['record'], TimedPrompt[]> = { item: [], message: [] };
  const hasEnough = () => found.item.length >= limits.prompts || found.message.length > limits.prompts;
  const end = visitLastLines(fd, size, limits.tailBytes, (line) => {
    if (lastActivityAt !== undefined && !mayBePrompt(line)) return undefined;
    const record = parseObject(line);
    if (record === undefined) return undefined;
    lastActivityAt ??= recordTime(record);
    const prompt = rolloutPromptOf(record);
    if (prompt !== undefined) found[prompt.record].unshift({ text: prompt.text, at: recordTime(record) });
    return hasEnough() ? 'stop' : undefined;
  });
  const prompts = found.item.length > 0 ? found.item : found.message.slice(-limits.prompts);
  return { lastActivityAt, prompts, complete: end !== 'limit' || hasEnough() };
}

interface Head {
  meta: RolloutMeta | undefined;
  firstPrompt: TimedPrompt | undefined;
}

function readHead(fd: number, size: number, limitBytes: number): Head {
  const head: Head = { meta: undefined, firstPrompt: undefined };
  visitFirstLines(fd, size, limitBytes, (line) => {
    if (head.meta !== undefined && !mayBePrompt(line)) return undefined;
    const record = parseObject(line);
    if (record === undefined) return undefined;
    if (record.type === 'session_meta') head.meta ??= metaOf(record);
    const prompt = rolloutPromptOf(record);
    if (prompt === undefined) return undefined;
    head.firstPrompt = { text: prompt.text, at: recordTime(record) };
    return 'stop';
  });
  return head;
}

function mayBePrompt(line: Buffer): boolean {
  return PROMPT_MARKS.some((mark) => line.includes(mark));
}

function metaOf(record: Record<string, unknown>): RolloutMeta {
  const payload = asObject(record.payload) ?? {};
  const git = asObject(payload.git);
  const started = asText(payload.timestamp);
  return {
    threadId: asText(payload.id),
    cwd: asText(payload.cwd),
    startedAt: (started === undefined ? undefined : parseRfc3339(started)) ?? recordTime(record),
    source: asText(payload.source),
    originator: asText(payload.originator),
    gitUrl: asText(git?.repository_url),
    gitBranch: asText(git?.branch),
    forkedFrom: asText(payload.forked_from_id),
  };
}
