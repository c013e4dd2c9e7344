import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../contract/line-splitter.ts';

describe('a line splitter with a filter', () => {
  it('asks about each line that lies in one read, with its exact bounds, and passes over what is not wanted', () => {
    const property = fc.property(fc.array(fc.string()), (texts) => {
      const input = Buffer.from(texts.map((text) => `${text.replaceAll('\n', '')}\n`).join(''));
      const asked: string[] = [];
      const given: string[] = [];
      const splitter = new LineSplitter({
        line: (bytes) => given.push(bytes.toString()),
        oversize: () => {},
        wants: (chunk, start, end) => asked.push(chunk.subarray(start, end).toString()) % 2 === 0,
      });
      splitter.push(input);
      const lines = input.toString().split('\n').slice(0, -1);
      expect(asked).toEqual(lines);
      const odd = lines.filter((_line, at) => at % 2 === 1);
      expect(given).toEqual(odd.map((line) => line.replace(/\r$/, '')));
    });
    fc.assert(property);
  });

  it('does not ask about a line that began in an earlier read', () => {
    const given: string[] = [];
    const splitter = new LineSplitter({
      line: (bytes) => given.push(bytes.toString()),
      oversize: () => {},
      wants: () => false,
    });
    splitter.push(Buffer.from('a'));
    splitter.push(Buffer.from('b\nc\n'));
    expect(given).toEqual(['ab']);
  });
});
