/** Longest text looked at when cutting: one grapheme may be as long as a file. */
const SCAN_LIMIT = 4_000;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The text cut to at most `limit` graphemes, with `…` in place of what was cut. Never cuts a character, an emoji or a
 * letter from its accents.
 */
export function cutGraphemes(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const isLonger = text.length > SCAN_LIMIT;
  const scanned = isLonger ? text.slice(0, SCAN_LIMIT) : text;
  let count = 0;
  let last = 0;
  for (const { index } of graphemes.segment(scanned)) {
    last = index;
    if (++count > limit) return `${scanned.slice(0, index)}…`;
  }
  // The last grapheme of a text that goes on may itself be cut: it is left out.
  return isLonger ? `${scanned.slice(0, last)}…` : text;
}

/** The text on one line, with every run of white space made one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
