import uFuzzy from '@leeoniya/ufuzzy';
import type { Session } from './session.ts';

/** More words than a person types: a bound against pasted texts. */
const MOST_WORDS = 12;
/** Longer words than this are compared whole, without forgiving a typo. */
const TYPO_LENGTH = { least: 4, most: 24 };

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

/** The words of a query, in lower case. */
export function queryWords(query: string): string[] {
  return query.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
}

/** The text of a session that is searched: title, prompts, repository, directory. Lower case. */
export function searchText(session: Session): string {
  return [session.title, ...session.recentPrompts, session.repository, session.cwd, session.gitBranch]
    .filter(Boolean)
    .join('\n')
    .normalize('NFC')
    .toLowerCase();
}

/** True when every word stands in the text. */
export function hasEveryWord(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/**
 * The items that hold every word, in their order. Where none does, one typing error per word is forgiven. Each word is
 * looked for alone, so the time grows with the texts and the number of words, never with their combinations.
 */
export function search<T>(items: readonly T[], textOf: (item: T) => string, words: readonly string[]): T[] {
  if (words.length === 0) return [...items];
  const exact = items.filter((item) => hasEveryWord(textOf(item), words));
  return exact.length > 0 ? exact : forgiving(items, textOf, words);
}

function forgiving<T>(items: readonly T[], textOf: (item: T) => string, words: readonly string[]): T[] {
  let left = [...items];
  for (const word of words) {
    const exact = new Set(left.filter((item) => textOf(item).includes(word)));
    const similar = new Set(mayHaveTypo(word) ? similarTo(left, textOf, word) : []);
    left = left.filter((item) => exact.has(item) || similar.has(item));
  }
  return left;
}

function mayHaveTypo(word: string): boolean {
  return word.length >= TYPO_LENGTH.least && word.length <= TYPO_LENGTH.most;
}

function similarTo<T>(items: readonly T[], textOf: (item: T) => string, word: string): T[] {
  const found = fuzzy.filter(items.map(textOf), word) ?? [];
  return found.flatMap((index) => items[index] ?? []);
}
