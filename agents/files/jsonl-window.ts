import fs from 'node:fs';

const NEWLINE = 0x0a;
/** First windows of a read from the start and from the end; they grow where a line is longer. */
const HEAD_WINDOW_BYTES = 32_768;
const TAIL_WINDOW_BYTES = 65_536;

/** What a visitor of lines answers: `stop` ends the read. */
export type Visit = 'stop' | undefined;

/** One line without its newline. The bytes are only valid during the call: they lie in a buffer that is used again. */
export type LineVisitor = (line: Buffer) => Visit;

/** How a read ended: everything was seen, the visitor had enough, or the byte limit was reached first. */
export type ReadEnd = 'all' | 'stopped' | 'limit';

// One buffer for every read: the readers are synchronous, so no two reads are under way at once.
let scratch = Buffer.allocUnsafe(TAIL_WINDOW_BYTES);

function readWindow(fd: number, start: number, length: number): Buffer {
  if (scratch.length < length) scratch = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = fs.readSync(fd, scratch, filled, length - filled, start + filled);
    if (got === 0) break;
    filled += got;
  }
  return scratch.subarray(0, filled);
}

/**
 * Visits the lines of a file from its start, reading at most `limitBytes`. A line that does not end within the limit is
 * not visited, so memory is bounded however long a line is. An unterminated last line of the file is visited.
 *
 * @param size bytes of the file that count; more may have been appended since
 */
export function visitFirstLines(fd: number, size: number, limitBytes: number, visit: LineVisitor): ReadEnd {
  const limit = Math.min(size, limitBytes);
  let start = 0;
  let width = HEAD_WINDOW_BYTES;
  while (start < limit) {
    const wanted = Math.min(width, limit - start);
    const window = readWindow(fd, start, wanted);
    const atEnd = window.length < wanted || start + window.length >= size;
    let from = 0;
    for (let end = window.indexOf(NEWLINE); end !== -1; end = window.indexOf(NEWLINE, from)) {
      if (end > from && visit(window.subarray(from, end)) === 'stop') return 'stopped';
      from = end + 1;
    }
    if (atEnd) {
      if (from < window.length && visit(window.subarray(from)) === 'stop') return 'stopped';
      return 'all';
    }
    if (start + window.length >= limit) return 'limit';
    if (from === 0) width *= 4;
    start += from;
  }
  return size > limitBytes ? 'limit' : 'all';
}

/**
 * Visits the lines of a file from its end backwards, reading at most `limitBytes`. A line longer than the limit ends the
 * read. The last line is visited even when no newline ends it: it may be half written.
 */
export function visitLastLines(fd: number, size: number, limitBytes: number, visit: LineVisitor): ReadEnd {
  const floor = Math.max(0, size - limitBytes);
  let end = size;
  let width = TAIL_WINDOW_BYTES;
  while (end > floor) {
    const start = Math.max(floor, end - width);
    const window = readWindow(fd, start, end - start);
    const first = start === 0 ? 0 : firstLineStart(window);
    if (first === undefined) {
      if (start === floor) return 'limit';
      width *= 4;
      continue;
    }
    if (visitBackwards(window.subarray(first), visit) === 'stop') return 'stopped';
    end = start + first;
  }
  return end === 0 ? 'all' : 'limit';
}

/** Where the first line that begins inside the window begins; a newline at the very end begins none. */
function firstLineStart(window: Buffer): number | undefined {
  const newline = window.indexOf(NEWLINE);
  return newline === -1 || newline === window.length - 1 ? undefined : newline + 1;
}

function visitBackwards(lines: Buffer, visit: LineVisitor): Visit {
  let end = lines.length;
  while (end > 0) {
    const newline = lines.lastIndexOf(NEWLINE, end - 1);
    if (newline === end - 1) {
      end = newline;
      continue;
    }
    if (visit(lines.subarray(newline + 1, end)) === 'stop') return 'stop';
    end = newline + 1;
  }
  return undefined;
}

/** The object a line of JSON holds, or undefined: a half-written, damaged or foreign line is no news. */
export function parseObject(line: Buffer): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(line.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** The value as an object with string keys, or undefined. */
export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** The value as a non-empty text, or undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value as a list; anything else is an empty one. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in a list; anything else in it is left out. */
export function asObjects(value: unknown): Record<string, unknown>[] {
  return asList(value)
    .map(asObject)
    .filter((item) => item !== undefined);
}
