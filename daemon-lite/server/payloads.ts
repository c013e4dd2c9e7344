import { parseRfc3339 } from '../../contract/clock.ts';
import {
  isAgent,
  isFeed,
  isNotificationKind,
  isOutcome,
  isPlainEvent,
  isSessionState,
  type SessionEvent,
} from '../../contract/events.ts';
import {
  type EndPayload,
  type ObservePayload,
  type Stamp,
  UNKNOWN_WORD_LENGTH,
  UNKNOWN_WORDS_LIMIT,
  type WindowPayload,
} from '../../contract/messages.ts';

/**
 * Checks of the payloads, by hand: the schemas of contract/schema say the same (a property test holds the two
 * together) but cost the daemon more memory than everything else it keeps. Unknown keys are dropped, unknown values of
 * contract keys refused, unfit values of additive keys dropped.
 */

/** A checked payload, or why it was refused. The reason names keys, never values. */
export type Checked<T> = { value: T } | { problem: string };

/** Longest id or word, in UTF-16 units: an id is a UUID or alike. */
export const WORD_LIMIT = 1_024;
/** Longest path, in UTF-16 units; no platform of ours opens a longer one. */
export const PATH_LIMIT = 8_192;
/** Most folders of one window. */
export const FOLDERS_LIMIT = 256;

type Fields = Record<string, unknown>;

/** The fields of a JSON object, or undefined where it is none. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

const OPTIONAL_TEXTS = [
  ['cwd', PATH_LIMIT],
  ['transcript_path', PATH_LIMIT],
  ['repo', WORD_LIMIT],
  ['model', WORD_LIMIT],
  ['agent_id', WORD_LIMIT],
] as const;

const ADDITIVE_WORDS = ['pid_ns', 'hook', 'prompt_id', 'turn_id', 'tool_use_id'] as const;

/** Checks the payload of `observe`. */
export function readObserve(payload: unknown): Checked<ObservePayload> {
  const from = fieldsOf(payload);
  if (from === undefined) return { problem: 'not an object' };
  if (typeof from.session_id !== 'string') return { problem: '`session_id` must be a string' };
  if (from.session_id.length > WORD_LIMIT) return { problem: '`session_id` is too long' };
  const event = readEvent(from.event);
  if (event === undefined) return { problem: '`event` is missing or unknown' };
  const value: ObservePayload = { session_id: from.session_id, event };
  for (const [key, limit] of OPTIONAL_TEXTS) {
    const text = from[key];
    if (text === undefined || text === null) continue;
    if (typeof text !== 'string') return { problem: `\`${key}\` must be a string` };
    if (text.length > limit) return { problem: `\`${key}\` is too long` };
    value[key] = text;
  }
  if (from.agent !== undefined && from.agent !== null) {
    if (!isAgent(from.agent)) return { problem: '`agent` is unknown' };
    value.agent = from.agent;
  }
  if (from.pid !== undefined && from.pid !== null) {
    if (!isPid(from.pid)) return { problem: '`pid` must be a whole number above zero' };
    value.pid = from.pid;
  }
  addStampAndSpeaker(value, from);
  addAdditive(value, from);
  return { value };
}

/** Checks the payload of `end`. A wrong id counts as missing, every other unfit value as absent. */
export function readEnd(payload: unknown): EndPayload | undefined {
  const from = fieldsOf(payload);
  if (from === undefined || typeof from.session_id !== 'string') return undefined;
  const value: EndPayload = { session_id: from.session_id };
  if (isWord(from.reason)) value.reason = from.reason;
  if (isPid(from.pid)) value.pid = from.pid;
  addStampAndSpeaker(value, from);
  if (isWord(from.pid_ns)) value.pid_ns = from.pid_ns;
  return value;
}

/** Checks the payload of `window`. */
export function readWindow(payload: unknown): Checked<WindowPayload> {
  const from = fieldsOf(payload);
  if (from === undefined) return { problem: 'not an object' };
  if (!isWord(from.key)) return { problem: '`key` must be a string' };
  const { key, folders = [], tabs = 0, terminals = 0 } = from;
  if (!isFolders(folders)) return { problem: '`folders` must be a list of paths' };
  if (!isCount(tabs)) return { problem: '`tabs` must be a whole number' };
  if (!isCount(terminals)) return { problem: '`terminals` must be a whole number' };
  return { value: { key: key as string, folders, tabs, terminals } };
}

/** One text field of a payload, or undefined where it is missing or none. */
export function readText(payload: unknown, key: string): string | undefined {
  const text = fieldsOf(payload)?.[key];
  return typeof text === 'string' ? text : undefined;
}

function readEvent(value: unknown): SessionEvent | undefined {
  if (isPlainEvent(value)) return value;
  const from = fieldsOf(value);
  if (from === undefined) return undefined;
  if (isNotificationKind(from.notification)) return { notification: from.notification };
  if (isSessionState(from.stream_state)) return { stream_state: from.stream_state };
  return undefined;
}

function readStamp(value: unknown): Stamp | undefined {
  const from = fieldsOf(value);
  if (from === undefined || !isWord(from.ts) || !isWord(from.seq) || from.seq === '') return undefined;
  return parseRfc3339(from.ts) === undefined ? undefined : { ts: from.ts, seq: from.seq };
}

function addStampAndSpeaker(value: ObservePayload | EndPayload, from: Fields): void {
  const stamp = from.stamp === undefined ? undefined : readStamp(from.stamp);
  if (stamp !== undefined) value.stamp = stamp;
  if (isFeed(from.feed)) value.feed = from.feed;
}

function addAdditive(value: ObservePayload, from: Fields): void {
  for (const key of ADDITIVE_WORDS) {
    const word = from[key];
    if (word !== undefined && isWord(word)) value[key] = word;
  }
  if (isOutcome(from.outcome)) value.outcome = from.outcome;
  const background = from.background === undefined ? undefined : fieldsOf(from.background);
  if (background !== undefined && isCount(background.subagents) && isCount(background.shells))
    value.background = { subagents: background.subagents, shells: background.shells };
  const words = from.unknown_words === undefined ? undefined : readWords(from.unknown_words);
  if (words !== undefined) value.unknown_words = words;
}

function readWords(value: unknown): Record<string, number> | undefined {
  const from = Object.entries(fieldsOf(value) ?? { none: undefined });
  if (from.length > UNKNOWN_WORDS_LIMIT) return undefined;
  const words = from.filter(([word, count]) => word.length <= UNKNOWN_WORD_LENGTH && isCount(count));
  return words.length === from.length ? (Object.fromEntries(words) as Record<string, number>) : undefined;
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.length <= WORD_LIMIT;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isPid(value: unknown): value is number {
  return isCount(value) && value > 0;
}

function isFolders(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= FOLDERS_LIMIT &&
    value.every((folder) => typeof folder === 'string' && folder.length <= PATH_LIMIT)
  );
}
