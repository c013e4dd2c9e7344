import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  parseObject,
  type ReadEnd,
  visitFirstLines,
  visitLastLines,
} from '../../../agents/files/jsonl-window.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-window-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function visited(
  visit: typeof visitFirstLines,
  content: string | Buffer,
  limit: number,
  enough = Number.POSITIVE_INFINITY,
): { lines: string[]; end: ReadEnd } {
  const file = path.join(dir, 'lines');
  writeFileSync(file, content);
  const fd = openSync(file, 'r');
  const lines: string[] = [];
  try {
    const end = visit(fd, statSync(file).size, limit, (line) => {
      lines.push(line.toString());
      return lines.length >= enough ? 'stop' : undefined;
    });
    return { lines, end };
  } finally {
    closeSync(fd);
  }
}

/** Lines of lengths around the window's, which is where cuts fall. */
const lines = fc.array(
  fc.integer({ min: 0, max: 90_000 }).chain((length) => fc.constant('x'.repeat(length))),
  { maxLength: 6 },
);

describe('reading lines from the start of a file', () => {
  it('visits every line that ends within the limit, in order', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), (texts, terminated) => {
        const numbered = texts.map((text, index) => `${index}${text}`);
        const content = numbered.join('\n') + (terminated ? '\n' : '');
        expect(visited(visitFirstLines, content, 10_000_000).lines).toEqual(numbered);
      }),
      { numRuns: 40 },
    );
  });

  it('stops at the limit, without the line that goes beyond it', () => {
    const { lines: seen, end } = visited(visitFirstLines, `a\n${'b'.repeat(200_000)}\nc\n`, 100_000);
    expect(seen).toEqual(['a']);
    expect(end).toBe('limit');
  });
});

describe('reading lines from the end of a file', () => {
  it('visits every line, last first', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), (texts, terminated) => {
        const numbered = texts.map((text, index) => `${index}${text}`);
        const content = numbered.join('\n') + (terminated ? '\n' : '');
        expect(visited(visitLastLines, content, 10_000_000).lines).toEqual(numbered.reverse());
      }),
      { numRuns: 40 },
    );
  });

  it('never visits a part of a line', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 300_000 }), (texts, limit) => {
        const numbered = texts.map((text, index) => `${index}${text}`);
        const { lines: seen } = visited(visitLastLines, `${numbered.join('\n')}\n`, limit);
        expect(numbered.slice(numbered.length - seen.length).reverse()).toEqual(seen);
      }),
      { numRuns: 40 },
    );
  });

  it('ends at a line longer than the limit', () => {
    const { lines: seen, end } = visited(visitLastLines, `a\n${'b'.repeat(200_000)}\nc\n`, 100_000);
    expect(seen).toEqual(['c']);
    expect(end).toBe('limit');
  });

  it('ends when the visitor has enough', () => {
    const { lines: seen, end } = visited(visitLastLines, 'a\nb\nc\n', 1_000, 2);
    expect(seen).toEqual(['c', 'b']);
    expect(end).toBe('stopped');
  });
});

describe('a line of JSON', () => {
  it.each(['', '{"a":', '[1]', '"text"', 'null', '\u0000\u0000'])('%j holds no object', (text) => {
    expect(parseObject(Buffer.from(text))).toBeUndefined();
  });

  it('with bytes that are no UTF-8 is read all the same', () => {
    const line = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect(parseObject(line)).toEqual({ a: '\uFFFD\uFFFD' });
  });
});
