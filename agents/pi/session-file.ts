import fs from 'node:fs';
import { parseRfc3339 } from '../../contract/clock.ts';
import { type EndLimits, recordTime, type TimedPrompt } from '../files/ends-of-session.ts';
import {
  asList,
  asObject,
  asText,
  parseObject,
  visitFirstLines,
  visitLastLines,
} from '../files/jsonl-window.ts';
import { piSessionIdOf } from './session-listing.ts';

/** What bounded reads of a session file's two ends tell about it. */
export interface PiSessionSummary {
  cwd: string | undefined;
  startedAt: number | undefined;
  lastActivityAt: number | undefined;
  /** Set by `/name`, `--name` or an extension. */
  name: string | undefined;
  firstPrompt: string | undefined;
  /** The latest prompts seen, oldest first. */
  prompts: TimedPrompt[];
  /** The session whose entries this file begins with a copy of. */
  forkedFrom: string | undefined;
  /** False when the read ended before the prompts asked for were found. */
  promptsComplete: boolean;
}

const USER = Buffer.from('"role":"user"');
const NAME = Buffer.from('"type":"session_info"');

/**
 * Reads both ends of a session file.
 *
 * @param size bytes of the file at the time of the listing
 * @throws a Node system error when the file cannot be opened or read
 */
export function readPiSession(file: string, size: number, limits: EndLimits): PiSessionSummary {
  const fd = fs.openSync(file, 'r');
  try {
    const tail = readTail(fd, size, limits);
    const head = readHead(fd, size, limits.headBytes);
    const first = head.firstPrompt ?? tail.prompts[0];
    const header = head.header;
    const started = asText(header?.timestamp);
    const parent = asText(header?.parentSession);
    const startedAt = started === undefined ? undefined : parseRfc3339(started);
    return {
      cwd: asText(header?.cwd),
      startedAt,
      lastActivityAt: latest(startedAt, tail.lastActivityAt),
      name: tail.name ?? head.name,
      firstPrompt: first?.text,
      prompts: tail.prompts.length === 0 && first !== undefined ? [first] : tail.prompts,
      forkedFrom: parent === undefined ? undefined : piSessionIdOf(parent),
      promptsComplete: tail.complete,
    };
  } finally {
    fs.closeSync(fd);
  }
}

/** The text of a prompt a person typed, or undefined. What an extension adds is a `custom_message`. */
export function piPromptOf(record: Record<string, unknown>): string | undefined {
  const message = record.type === 'message' ? asObject(record.message) : undefined;
  if (message?.role !== 'user') return undefined;
  if (typeof message.content === 'string') return message.content;
  return asList(message.content)
    .flatMap((part) => asText(asObject(part)?.text) ?? [])
    .join('\n');
}

interface Tail {
  lastActivityAt: number | undefined;
  name: string | undefined;
  prompts: TimedPrompt[];
  complete: boolean;
}

function readTail(fd: number, size: number, limits: EndLimits): Tail {
  const tail: Tail = { lastActivityAt: undefined, name: undefined, prompts: [], complete: true };
  let seenBytes = 0;
  const hasEnough = () =>
    tail.prompts.length >= limits.prompts && (tail.name !== undefined || seenBytes >= limits.titleBytes);
  const end = visitLastLines(fd, size, limits.tailBytes, (line) => {
    seenBytes += line.length + 1;
    if (hasEnough()) return 'stop';
    if (tail.lastActivityAt !== undefined && !line.includes(USER) && !line.includes(NAME)) return undefined;
    const record = parseObject(line);
    if (record === undefined) return undefined;
    tail.lastActivityAt ??= recordTime(record);
    if (record.type === 'session_info') tail.name ??= asText(record.name);
    const text = tail.prompts.length < limits.prompts ? piPromptOf(record) : undefined;
    if (text !== undefined) tail.prompts.unshift({ text, at: recordTime(record) });
    return undefined;
  });
  tail.complete = end !== 'limit' || tail.prompts.length >= limits.prompts;
  return tail;
}

interface Head {
  header: Record<string, unknown> | undefined;
  name: string | undefined;
  firstPrompt: TimedPrompt | undefined;
}

function readHead(fd: number, size: number, limitBytes: number): Head {
  const head: Head = { header: undefined, name: undefined, firstPrompt: undefined };
  visitFirstLines(fd, size, limitBytes, (line) => {
    if (head.header !== undefined && !line.includes(USER) && !line.includes(NAME)) return undefined;
    const record = parseObject(line);
    if (record === undefined) return undefined;
    if (record.type === 'session') head.header ??= record;
    if (record.type === 'session_info') head.name = asText(record.name) ?? head.name;
    const text = piPromptOf(record);
    if (text === undefined) return undefined;
    head.firstPrompt = { text, at: recordTime(record) };
    return 'stop';
  });
  return head;
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}
