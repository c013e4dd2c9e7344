import uFuzzy from '@leeoniya/ufuzzy';
import { hasEveryWord } from './words.ts';

/** Words in which a typing error is forgiven: the others are compared whole. */
const FORGIVEN = /^[\p{L}\d]{4,24}$/u;

const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
  // One error within a word: a letter too many, missing, wrong or swapped.
  intraMode: 1,
});

/**
 * The items that hold every word, in their order. Where none does, one typing error per word is forgiven. Each word is
 * looked for alone, so the time grows with the texts and the number of words, never with their combinations.
 */
export function search<T>(items: readonly T[], textOf: (item: T) => string, words: readonly string[]): T[] {
  if (words.length === 0) return [...items];
  const exact = items.filter((item) => hasEveryWord(textOf(item), words));
  return exact.length > 0 ? exact : forgiving(items, textOf, words);
}

/** The items that hold every word, with one typing error in each forgiven. Takes some microseconds per item. */
export function forgiving<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  words: readonly string[],
): T[] {
  let left = [...items];
  for (const word of words) {
    const exact = new Set(left.filter((item) => textOf(item).includes(word)));
    const similar = new Set(FORGIVEN.test(word) ? similarTo(left, textOf, word) : []);
    left = left.filter((item) => exact.has(item) || similar.has(item));
  }
  return left;
}

function similarTo<T>(items: readonly T[], textOf: (item: T) => string, word: string): T[] {
  const found = fuzzy.filter(items.map(textOf), word) ?? [];
  return found.flatMap((index) => items[index] ?? []);
}
