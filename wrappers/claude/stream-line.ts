/** Which way a line went: `from_claude` is the child's stdout, `to_claude` its stdin. */
export type Direction = 'from_claude' | 'to_claude';

type Fields = Record<string, unknown>;

/** The part of a stream-json line that a state may depend on. What a person or the model wrote is not in it. */
export interface StreamLine {
  type: string | undefined;
  subtype: string | undefined;
  sessionId: string | undefined;
  cwd: string | undefined;
  model: string | undefined;
  requestId: string | undefined;
  request: Fields | undefined;
  response: Fields | undefined;
  /** Set on the lines of a subagent. */
  isSubagent: boolean;
  /** Every other key, for the few line types that have keys of their own. */
  fields: Fields;
}

/** Keys that must hold a text, or nothing, for the line to count at all (rule of the older wrapper, kept by vectors). */
const TEXT_KEYS = ['type', 'subtype', 'session_id', 'cwd', 'model', 'request_id'] as const;

/**
 * Reads one line. Parsing starts at the first `{`, because terminal bytes (a title, a mode switch) carry no newline and
 * are glued to the front of the first JSON line. A blank line is `undefined`; `unreadable` is a line that is no JSON
 * object or has a known key of a wrong type.
 */
export function readStreamLine(text: string): StreamLine | 'unreadable' | undefined {
  const start = text.indexOf('{');
  if (start === -1) return text.trim() === '' ? undefined : 'unreadable';
  const fields = parseObject(start === 0 ? text : text.slice(start));
  if (fields === undefined || !TEXT_KEYS.every((key) => isTextOrNothing(fields[key]))) return 'unreadable';
  if (!isObjectOrNothing(fields.request) || !isObjectOrNothing(fields.response)) return 'unreadable';
  return {
    type: textOf(fields.type),
    subtype: textOf(fields.subtype),
    sessionId: wordOf(fields.session_id),
    cwd: wordOf(fields.cwd),
    model: wordOf(fields.model),
    requestId: textOf(fields.request_id),
    request: objectOf(fields.request),
    response: objectOf(fields.response),
    isSubagent: textOf(fields.parent_tool_use_id) !== undefined,
    fields,
  };
}

/** A value as an object that is no list, or undefined. */
export function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A value as text, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A value as text that is not blank, or undefined. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function parseObject(text: string): Fields | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function isObjectOrNothing(value: unknown): boolean {
  return value === undefined || value === null || objectOf(value) !== undefined;
}
