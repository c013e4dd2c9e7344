import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { search } from '../../catalog/search.ts';
import { queryWords } from '../../catalog/words.ts';

const texts = [
  'fix the login retry',
  'catalog of books',
  'login page colours',
  'größe der schrift',
  '検索 を直す',
];
const find = (query: string) => search(texts, (text) => text, queryWords(query));

describe('a search', () => {
  it.each([
    ['login', ['fix the login retry', 'login page colours']],
    ['LOGIN retry', ['fix the login retry']],
    ['retry log', ['fix the login retry']],
    ['catlog', ['catalog of books']],
    ['ctaalog', ['catalog of books']],
    ['catalogg', ['catalog of books']],
    ['grösse', []],
    ['größe', ['größe der schrift']],
    ['検索', ['検索 を直す']],
    ['loginn pgae', ['login page colours']],
    ['', texts],
  ])('for %j', (query, expected) => {
    expect(find(query)).toEqual(expected);
  });

  it('forgives no typing error while a text has every word', () => {
    expect(search(['path here', 'auth here'], (text) => text, ['auth'])).toEqual(['auth here']);
  });

  it('takes every character as it is', () => {
    expect(search(['a.*b', 'axxb'], (text) => text, ['.*'])).toEqual(['a.*b']);
    expect(search(['x -y'], (text) => text, ['-y'])).toEqual(['x -y']);
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, query) => {
        search([text.toLowerCase()], (item) => item, queryWords(query));
      }),
    );
  });

  it('does not get lost in a text made to trap a pattern', () => {
    const trap = `${'a'.repeat(4_000)} ${'aab'.repeat(1_000)}`;
    const began = performance.now();
    search(
      Array.from({ length: 200 }, () => trap),
      (text) => text,
      queryWords('aaaaaaaaaaaac aaaaaaab bbbbbbbbbb'),
    );
    // Some milliseconds; a backtracking search would need years.
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
