import { eastAsianWidth } from 'get-east-asian-width';

/**
 * What terminals disagree about the width of: invisible format characters, joiners, variation selectors, skin tones,
 * line separators, lone surrogates. Removed from a live table, whose columns must stand still.
 */
const UNSTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Variation_Selector}\p{Emoji_Modifier}]/gu;
const ASCII = /^[\x20-\x7e]*$/;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\u1160-\u11ff]$/u;

/** The text as a live table shows it: one line, of a width every terminal agrees on. */
export function cellText(text: string): string {
  return ASCII.test(text) ? text : text.replace(UNSTABLE, '');
}

/** How many terminal cells a text takes. */
export function cellWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text cut to at most `width` cells, with `…` in place of what was cut at its end, and padded to exactly `width`. */
export function fitCell(text: string, width: number): string {
  return padEnd(cut(text, width), width);
}

/** As {@link fitCell}, but cut at the start: of a path the last parts tell most. */
export function fitPath(text: string, width: number): string {
  if (cellWidth(text) <= width) return padEnd(text, width);
  if (width <= 0) return '';
  const kept = take([...text].reverse(), width - 1).reverse();
  return padEnd(`…${kept.join('')}`, width);
}

/** The text cut to at most `width` cells, not padded. */
export function cut(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  return width <= 0 ? '' : `${take([...text], width - 1).join('')}…`;
}

/** The text padded on the left to `width` cells. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - cellWidth(text))) + text;
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - cellWidth(text)));
}

function take(characters: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += characterWidth(character);
    if (used > width) break;
    taken.push(character);
  }
  return taken;
}

function characterWidth(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return eastAsianWidth(character.codePointAt(0) ?? 0x20);
}
