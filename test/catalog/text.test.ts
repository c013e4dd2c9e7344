import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutGraphemes, oneLine } from '../../catalog/text.ts';

const graphemes = (text: string) =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map((part) => part.segment);

describe('a text that is cut', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2, '👩‍👩‍👧‍👦👩‍👩‍👧‍👦…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301e\u0301…'],
    ['🇩🇪🇫🇷🇮🇹', 1, '🇩🇪…'],
    ['한국어 텍스트', 3, '한국어…'],
    ['', 3, ''],
  ])('%j to %i', (text, limit, expected) => {
    expect(cutGraphemes(text, limit)).toBe(expected);
  });

  it('keeps whole graphemes from its start', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        (text, limit) => {
          const cut = cutGraphemes(text, limit);
          if (cut === text) return;
          expect(cut.endsWith('…')).toBe(true);
          const kept = graphemes(cut.slice(0, -1));
          expect(kept.length).toBeLessThanOrEqual(limit);
          expect(kept).toEqual(graphemes(text).slice(0, kept.length));
        },
      ),
    );
  });

  it('is bounded also where one letter carries a million accents', () => {
    expect(cutGraphemes(`a${'\u0301'.repeat(1_000_000)}`, 100).length).toBeLessThan(5_000);
  });
});

describe('a title', () => {
  it('stands on one line', () => {
    expect(oneLine('  Fix\n\tthe   till.\r\n')).toBe('Fix the till.');
  });
});
