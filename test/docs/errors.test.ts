import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { collectErrorCodes, collectRefusals, collectTexts, sourceFiles } from './error-codes.ts';
import { codeIn, page, rowsOf } from './tables.ts';

const text = page('errors.md');
const files = sourceFiles();
const sorted = (values: Iterable<string>) => [...new Set(values)].sort();

describe('docs/errors.md', () => {
  const rows = rowsOf(text, 'code');
  const documented = rows.map(([code = '']) => codeIn(code)[0] ?? '');

  it('has a row for every code that the programs make, and none for another', () => {
    const { codes, unreadable } = collectErrorCodes(files);
    expect(unreadable).toEqual([]);
    expect(codes.size).toBeGreaterThan(30);
    expect(sorted(documented)).toEqual(sorted(codes));
    expect(documented).toHaveLength(codes.size);
  });

  it('quotes the programs’ own words and names a fix for each', () => {
    const texts = collectTexts(files);
    const quoted = [
      ...rows.map(([, message = '']) => message),
      ...rowsOf(text, 'message').map(([cell = '']) => cell),
    ];
    expect(quoted.length).toBeGreaterThan(60);
    for (const cell of quoted) {
      const messages = codeIn(cell);
      expect(messages, cell).not.toEqual([]);
      for (const message of messages) expect(hasWords(texts, message), message).toBe(true);
    }
    for (const [code, , fix = ''] of rows) expect(fix.length, code).toBeGreaterThan(3);
  });

  it('has every refusal of the daemon, and no other', () => {
    const answers = text.slice(text.indexOf('## What the daemon answers'), text.indexOf('## Wrappers'));
    const listed = rowsOf(answers, 'message').flatMap(([cell = '']) => codeIn(cell));
    const refusals = collectRefusals(files);
    expect(refusals.size).toBeGreaterThan(15);
    expect(sorted(listed)).toEqual(sorted(refusals));
  });

  it('is held to codes of any class of errors, and notices one that cannot be read', () => {
    const source = `
      class Odd extends OmniDevError { constructor() { super('ODD', 'x'); } }
      class Given extends OmniDevError { constructor(code: string) { super(code, 'x'); } }
      throw new Given('GIVEN');
      throw new OmniDevError(pick(), 'x');`;
    const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
    const { codes, unreadable } = collectErrorCodes([file]);
    expect(sorted(codes)).toEqual(['GIVEN', 'ODD']);
    expect(unreadable).toEqual(['a.ts: pick()']);
  });
});

/** True when the words between what differs stand, in order, in one text of the sources. */
function hasWords(texts: readonly string[], message: string): boolean {
  const words = message
    .split('…')
    .map((part) => part.replace(/^[\s:;,.]+|\s+$/g, ''))
    .filter((part) => /[a-z]/i.test(part));
  if (words.length === 0) return false;
  return texts.some((candidate) => {
    let at = 0;
    return words.every((part) => {
      const found = candidate.indexOf(part, at);
      at = found + part.length;
      return found !== -1;
    });
  });
}
