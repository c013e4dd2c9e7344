const MESSAGE_STARTS = ['{"type":"stream_event"', '{"type":"assistant"', '{"type":"user"'].map((text) =>
  Buffer.from(text),
);

const OPEN_BRACE = 0x7b;
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
  if (chunk[start] !== OPEN_BRACE) return false;
  return MESSAGE_STARTS.some((prefix) => startsWith(chunk, start, end, prefix));
}

function startsWith(chunk: Buffer, start: number, end: number, prefix: Buffer): boolean {
  if (end - start < prefix.length) return false;
  for (let i = 0; i < prefix.length; i += 1) if (chunk[start + i] !== prefix[i]) return false;
  return true;
}
