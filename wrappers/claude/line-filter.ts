/** A beginning of lines, compared four bytes at a time: this runs for every line of a fast stream. */
class Beginning {
  readonly length: number;
  readonly #words: readonly number[];
  /** The last four bytes, which may overlap with the words. */
  readonly #end: number;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    this.#words = Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readInt32LE(at * 4));
    this.#end = bytes.readInt32LE(bytes.length - 4);
  }

  standsAt(view: DataView, start: number): boolean {
    if (start + this.length > view.byteLength) return false;
    for (let at = 0; at < this.#words.length; at += 1)
      if (view.getInt32(start + at * 4, true) !== this.#words[at]) return false;
    return view.getInt32(start + this.length - 4, true) === this.#end;
  }
}

const STREAM_EVENT = new Beginning('{"type":"stream_event"');
const ASSISTANT = new Beginning('{"type":"assistant"');
const USER = new Beginning('{"type":"user"');

/** Where the first letter of the type stands in a line that begins with it. */
const TYPE_AT = '{"type":"'.length;
const LETTER_S = 0x73;
const LETTER_A = 0x61;
const LETTER_U = 0x75;

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
 * True when the line that begins at `start` certainly is a message or a part of one: its first key is `type` and names
 * one. Only used to pass lines over; a line with another order of keys (as `result` has) is simply read.
 */
export function isMessage(view: DataView, start: number): boolean {
  if (start + TYPE_AT >= view.byteLength) return false;
  switch (view.getUint8(start + TYPE_AT)) {
    case LETTER_S:
      return STREAM_EVENT.standsAt(view, start);
    case LETTER_A:
      return ASSISTANT.standsAt(view, start);
    case LETTER_U:
      return USER.standsAt(view, start);
    default:
      return false;
  }
}
