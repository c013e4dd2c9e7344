import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMessage, mayBeObject } from '../../../wrappers/claude/line-filter.ts';

const viewOf = (text: string, before = '') => {
  const bytes = Buffer.from(before + text);
  return [new DataView(bytes.buffer, bytes.byteOffset, bytes.length), before.length] as const;
};

const BEGINNINGS = ['{"type":"stream_event"', '{"type":"assistant"', '{"type":"user"'];

describe('a line of a stream', () => {
  it('is a message when it begins with the type of one, wherever it lies in a read', () => {
    const property = fc.property(
      fc.constantFrom(...BEGINNINGS),
      fc.stringMatching(/^[a-z\n]{0,9}$/),
      fc.string(),
      (beginning, before, rest) => isMessage(...viewOf(beginning + rest, before)),
    );
    fc.assert(property);
  });

  it('is none when anything of that beginning is different or missing', () => {
    for (const beginning of BEGINNINGS) {
      for (let at = 0; at < beginning.length; at += 1) {
        expect(isMessage(...viewOf(`${beginning.slice(0, at)}~${beginning.slice(at + 1)},"uuid":1}`))).toBe(
          false,
        );
        expect(isMessage(...viewOf(beginning.slice(0, at)))).toBe(false);
      }
    }
  });

  it.each([
    '{"type":"system","subtype":"init"}',
    '{"type":"user_dialog"}',
    '{"uuid":"1","type":"user"}',
    '',
    '{',
  ])('is none: %s', (text) => expect(isMessage(...viewOf(text))).toBe(false));

  it('may be an object when it ends with a brace, spaces aside', () => {
    const may = (text: string) => mayBeObject(Buffer.from(text), 0, Buffer.byteLength(text));
    expect(['{"a":1}', 'x {} \r', '{"a":1'].map(may)).toEqual([true, true, false]);
    expect(['', '}', '   ', 'plain text'].map(may)).toEqual([false, false, false, false]);
  });
});
