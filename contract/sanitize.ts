/** C0, DEL and C1 controls, and the characters that reorder text. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes what could drive or reorder a terminal from a text of unknown origin (a folder name, a model id). Everything
 * else stays, so the text remains recognisable.
 */
export function sanitize(text: string): string {
  return text.replace(UNSAFE, '');
}
