const STREAM_EVENT = Buffer.from('{"type":"stream_event"');
const ASSISTANT = Buffer.from('{"type":"assistant"');
const USER = Buffer.from('{"type":"user"');

/** Where the first letter of the type stands in a line that begins with it. */
const TYPE_AT = '{"type":"'.length;

const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * True when the bytes can be the end of a JSON object, spaces aside. Refuses plain text and binary output before they
 * cost a decode.
 */
export function mayBeObject(chunk: Buffer, start: number, end: number): boolean {
  let last = end - 1;
  while (last >= start && (chunk[last] ?? 0) <= SPACE) last -= 1;
  return last > start && chunk[last] === CLOSE_BRACE;
}

/**
 * True when the line certainly is a message or a part of one: its first key is `type` and names one. Only used to pass
 * lines over; a line with another order of keys (as `result` has) is simply read.
 */
export function isMessage(chunk: Buffer, start: number, end: number): boolean {
  switch (chunk[start + TYPE_AT]) {
    case STREAM_EVENT[TYPE_AT]:
      return startsWith(chunk, start, end, STREAM_EVENT);
    case ASSISTANT[TYPE_AT]:
      return startsWith(chunk, start, end, ASSISTANT);
    case USER[TYPE_AT]:
      return startsWith(chunk, start, end, USER);
    default:
      return false;
  }
}

function startsWith(chunk: Buffer, start: number, end: number, prefix: Buffer): boolean {
  if (end - start < prefix.length) return false;
  for (let i = 0; i < prefix.length; i += 1) if (chunk[start + i] !== prefix[i]) return false;
  return true;
}
