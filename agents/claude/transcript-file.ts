import fs from 'node:fs';
import path from 'node:path';
import { parseRfc3339 } from '../../contract/clock.ts';
import { type EndLimits, recordTime, type TimedPrompt } from '../files/ends-of-session.ts';
import { asObject, asText, parseObject, visitFirstLines, visitLastLines } from '../files/jsonl-window.ts';
import { type HumanPrompt, humanPromptOf } from './human-prompt.ts';

/** What bounded reads of a transcript's two ends tell about it. Times are ms since 1970, as the agent wrote them. */
export interface TranscriptSummary {
  /** Folder of the first line: a transcript resumed elsewhere holds several. */
  cwd: string | undefined;
  startedAt: number | undefined;
  lastActivityAt: number | undefined;
  firstPrompt: string | undefined;
  /** The latest prompts seen, oldest first. */
  prompts: TimedPrompt[];
  /** Set by `/rename`, `--name` or the host. */
  customTitle: string | undefined;
  /** Made up by Claude. */
  generatedTitle: string | undefined;
  gitBranch: string | undefined;
  /** How the session was started: `cli`, `sdk-cli`, `claude-vscode`, ... */
  entrypoint: string | undefined;
  /** The session whose lines this file begins with a copy of. */
  forkedFrom: string | undefined;
  /** The session this one goes on from under a new id. */
  continues: string | undefined;
  /** True when every line read belongs to a subagent. */
  subagentOnly: boolean;
  /** False when the reads ended before the prompts asked for were found: there may be later ones than those given. */
  promptsComplete: boolean;
}

const USER = Buffer.from('"type":"user"');
const QUEUED = Buffer.from('"queued_command"');
const CUSTOM_TITLE = Buffer.from('"type":"custom-title"');
const GENERATED_TITLE = Buffer.from('"type":"ai-title"');
const ANSWER = Buffer.from('"type":"assistant"');
const TIMESTAMP = Buffer.from('"timestamp":"');
const REQUEST_SESSION = Buffer.from('"requestSessionId":"');

/**
 * Reads both ends of a transcript. Lines are parsed only where their bytes can matter, so the cost of a session does not
 * depend on the length of its transcript.
 *
 * @param size bytes of the file at the time of the listing
 * @throws a Node system error when the file cannot be opened or read
 */
export function readTranscript(file: string, size: number, limits: EndLimits): TranscriptSummary {
  const fd = fs.openSync(file, 'r');
  try {
    const sessionId = path.basename(file, '.jsonl');
    const tail = readTail(fd, size, limits, sessionId);
    const head = readHead(fd, size, limits.headBytes, sessionId);
    return merge(head, tail, file, sessionId);
  } finally {
    fs.closeSync(fd);
  }
}

interface Tail {
  lastActivityAt: number | undefined;
  prompts: TimedPrompt[];
  customTitle: string | undefined;
  generatedTitle: string | undefined;
  forkedFrom: string | undefined;
  cwd: string | undefined;
  complete: boolean;
}

function readTail(fd: number, size: number, limits: EndLimits, sessionId: string): Tail {
  const tail: Tail = {
    prompts: [],
    complete: true,
    lastActivityAt: undefined,
    customTitle: undefined,
    generatedTitle: undefined,
    forkedFrom: undefined,
    cwd: undefined,
  };
  let seenBytes = 0;
  const hasEnough = () =>
    tail.prompts.length >= limits.prompts &&
    tail.lastActivityAt !== undefined &&
    (tail.customTitle !== undefined || seenBytes >= limits.titleBytes);
  const end = visitLastLines(fd, size, limits.tailBytes, (line) => {
    seenBytes += line.length + 1;
    if (hasEnough()) return 'stop';
    const wantsTime = tail.lastActivityAt === undefined && line.includes(TIMESTAMP);
    const wantsParent = tail.forkedFrom === undefined && line.includes(REQUEST_SESSION);
    if (!wantsTime && !wantsParent && !mayTell(line)) return undefined;
    const record = parseObject(line);
    if (record === undefined) return undefined;
    tail.lastActivityAt ??= timeOf(record);
    tail.cwd ??= asText(record.cwd);
    tail.forkedFrom ??= parentOf(record, sessionId);
    takeTitle(tail, record);
    const prompt = humanPromptOf(record);
    if (prompt !== undefined && tail.prompts.length < limits.prompts)
      tail.prompts.unshift({ ...timed(prompt), inherited: tail.forkedFrom !== undefined });
    return undefined;
  });
  tail.complete = end !== 'limit' || tail.prompts.length >= limits.prompts;
  return tail;
}

function mayTell(line: Buffer): boolean {
  return (
    line.includes(USER) ||
    line.includes(QUEUED) ||
    line.includes(CUSTOM_TITLE) ||
    line.includes(GENERATED_TITLE)
  );
}

interface Head {
  cwd: string | undefined;
  startedAt: number | undefined;
  firstPrompt: TimedPrompt | undefined;
  customTitle: string | undefined;
  generatedTitle: string | undefined;
  gitBranch: string | undefined;
  entrypoint: string | undefined;
  forkedFrom: string | undefined;
  continues: string | undefined;
  mainLines: number;
  sidechainLines: number;
}

function readHead(fd: number, size: number, limitBytes: number, sessionId: string): Head {
  const head: Head = {
    mainLines: 0,
    sidechainLines: 0,
    cwd: undefined,
    startedAt: undefined,
    firstPrompt: undefined,
    customTitle: undefined,
    generatedTitle: undefined,
    gitBranch: undefined,
    entrypoint: undefined,
    forkedFrom: undefined,
    continues: undefined,
  };
  visitFirstLines(fd, size, limitBytes, (line) => {
    const isPlaced = head.cwd !== undefined && head.startedAt !== undefined;
    if (isPlaced && !mayTell(line) && !line.includes(ANSWER)) return undefined;
    const record = parseObject(line);
    if (record === undefined) return undefined;
    takeHeadFields(head, record, sessionId);
    const isAnswer = record.type === 'assistant';
    return head.firstPrompt !== undefined && head.cwd !== undefined && isAnswer ? 'stop' : undefined;
  });
  return head;
}

function takeHeadFields(head: Head, record: Record<string, unknown>, sessionId: string): void {
  if (record.isSidechain === true) head.sidechainLines++;
  if (record.isSidechain === false) head.mainLines++;
  const at = timeOf(record);
  head.startedAt ??= at;
  head.cwd ??= asText(record.cwd);
  head.gitBranch ??= asText(record.gitBranch);
  head.entrypoint ??= asText(record.entrypoint);
  head.forkedFrom ??= parentOf(record, sessionId);
  const writtenAs = asText(record.sessionId);
  if (
    head.continues === undefined &&
    writtenAs !== undefined &&
    writtenAs !== sessionId &&
    at !== undefined
  ) {
    head.continues = writtenAs;
  }
  if (record.type === 'custom-title') head.customTitle = asText(record.customTitle) ?? head.customTitle;
  if (record.type === 'ai-title') head.generatedTitle = asText(record.aiTitle) ?? head.generatedTitle;
  const prompt = head.firstPrompt === undefined ? humanPromptOf(record) : undefined;
  if (prompt !== undefined) head.firstPrompt = timed(prompt);
}

/** A fork's copies of its parent's answers name the session that had asked for them. */
function parentOf(record: Record<string, unknown>, sessionId: string): string | undefined {
  const asked = asText(record.requestSessionId);
  return asked !== undefined && asked !== sessionId ? asked : undefined;
}

function takeTitle(tail: Tail, record: Record<string, unknown>): void {
  if (record.type === 'custom-title') tail.customTitle ??= asText(record.customTitle);
  if (record.type === 'ai-title') tail.generatedTitle ??= asText(record.aiTitle);
}

/** The time of a record, of the snapshot a record consists of, or undefined. */
function timeOf(record: Record<string, unknown>): number | undefined {
  return recordTime(record) ?? recordTime(asObject(record.snapshot) ?? {});
}

function timed(prompt: HumanPrompt): TimedPrompt {
  return {
    text: prompt.text,
    at: prompt.timestamp === undefined ? undefined : parseRfc3339(prompt.timestamp),
  };
}

function merge(head: Head, tail: Tail, file: string, sessionId: string): TranscriptSummary {
  const first = head.firstPrompt ?? tail.prompts[0];
  return {
    cwd: head.cwd ?? tail.cwd,
    startedAt: head.startedAt,
    lastActivityAt: tail.lastActivityAt ?? head.startedAt,
    firstPrompt: first?.text,
    prompts: tail.prompts.length === 0 && first !== undefined ? [first] : tail.prompts,
    customTitle: renamedTitle(file, sessionId) ?? tail.customTitle ?? head.customTitle,
    generatedTitle: tail.generatedTitle ?? head.generatedTitle,
    gitBranch: head.gitBranch,
    entrypoint: head.entrypoint,
    forkedFrom: tail.forkedFrom ?? head.forkedFrom,
    continues: head.continues,
    subagentOnly: head.mainLines === 0 && head.sidechainLines > 0,
    promptsComplete: tail.complete,
  };
}

/** A title is one short line; a longer file is not one. */
const TITLE_FILE_LIMIT_BYTES = 65_536;

/** The title in `<project>/<session id>/custom-title.json`, which a rename writes beside the transcript. */
function renamedTitle(file: string, sessionId: string): string | undefined {
  try {
    const beside = path.join(path.dirname(file), sessionId, 'custom-title.json');
    const found = fs.statSync(beside, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size > TITLE_FILE_LIMIT_BYTES) return undefined;
    return asText(asObject(JSON.parse(fs.readFileSync(beside, 'utf8')))?.customTitle);
  } catch {
    return undefined;
  }
}
