import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HELD_TITLE_BYTES } from '../../../wrappers/claude/title-candidate.ts';
import { titlePrefix } from '../../../wrappers/claude/title-prefix.ts';
import { TitleRewriter } from '../../../wrappers/claude/title-rewriter.ts';

const opus = 'claude-opus-5';

/** Everything that a rewriter lets out for these reads, what it held included. */
function through(reads: Buffer[], model: string | null = opus): Buffer {
  const titles = new TitleRewriter();
  if (model !== null) titles.setModel(model);
  const out = reads.flatMap((read) => titles.push(read));
  return Buffer.concat([...out, titles.release() ?? Buffer.alloc(0)]);
}

/** Bytes in which sequences, near-sequences and plain text are likely. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b',
        ']',
        '0',
        '2',
        ';',
        '\u0007',
        '\\',
        '\n',
        '\u001b]0;',
        '\u001b]2;t\u001b\\',
        '€',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => Buffer.from(pieces.join('')));

describe('a title rewriter', () => {
  it('gives the same output wherever the reads are cut', () => {
    const cutAnywhere = fc.property(bytes, fc.array(fc.nat({ max: 200 })), (all, cuts) => {
      const places = [...new Set(cuts.map((cut) => Math.min(cut, all.length)))].sort((a, b) => a - b);
      const reads = [...places, all.length].map((end, at) => all.subarray(places[at - 1] ?? 0, end));
      expect(through(reads)).toEqual(through([all]));
    });
    fc.assert(cutAnywhere, { numRuns: 500 });
  });

  it('changes nothing as long as no model is known', () => {
    const same = fc.property(bytes, (all) => {
      expect(through([all], null)).toEqual(all);
    });
    fc.assert(same);
  });

  it('only ever adds its prefix: without it the output is the input', () => {
    const onlyAdds = fc.property(bytes, (all) => {
      fc.pre(!all.includes(titlePrefix(opus)));
      const text = (bytesOut: Buffer) => bytesOut.toString('latin1');
      const prefix = text(Buffer.from(titlePrefix(opus)));
      expect(text(through([all])).replaceAll(prefix, '')).toBe(text(all));
    });
    fc.assert(onlyAdds, { numRuns: 300 });
  });

  it('passes a read without an escape byte as the very same buffer', () => {
    const read = Buffer.from('{"type":"assistant"}\n');
    expect(new TitleRewriter().push(read)[0]).toBe(read);
  });

  it('holds 8 KiB at most', () => {
    const titles = new TitleRewriter();
    titles.push(Buffer.from('\u001b]0;'));
    let out = 0;
    for (let i = 0; i < HELD_TITLE_BYTES; i += 1) {
      out += titles.push(Buffer.from('x')).reduce((sum, piece) => sum + piece.length, 0);
    }
    expect(out).toBeGreaterThan(HELD_TITLE_BYTES);
  });

  it('takes a newline for the end of a sequence that was none, so that a line never waits', () => {
    const titles = new TitleRewriter();
    const read = Buffer.from('\u001b]0;no title{"type":"result"}\n');
    expect(Buffer.concat(titles.push(read))).toEqual(read);
    expect(titles.holds).toBe(false);
  });

  it('does not correct a title that is no text', () => {
    const titles = new TitleRewriter();
    titles.push(Buffer.from('\u001b]0;good\u0007'));
    titles.push(Buffer.from([0x1b, 0x5d, 0x30, 0x3b, 0xff, 0x07]));
    expect(titles.setModel(opus)).toBeUndefined();
  });

  it('sends nothing again when another model of the same family takes over', () => {
    const titles = new TitleRewriter();
    titles.setModel('claude-opus-4-8');
    titles.push(Buffer.from('\u001b]0;t\u0007'));
    expect(titles.setModel('claude-opus-5')).toBeUndefined();
  });

  it('never puts a correction inside a line, however the reads are cut', () => {
    const line = Buffer.from('\u001b]0;t\u0007{"a":"1"}\n{"b":"2"}\n');
    const anywhere = fc.property(fc.nat({ max: line.length }), (at) => {
      const titles = new TitleRewriter();
      const out = titles.push(line.subarray(0, at));
      out.push(titles.setModel(opus) ?? Buffer.alloc(0));
      out.push(...titles.push(line.subarray(at)), titles.release() ?? Buffer.alloc(0));
      const lines = Buffer.concat(out).toString().split('\n');
      const json = lines.filter((text) => text.includes('{')).map((text) => text.slice(text.indexOf('{')));
      expect(json).toEqual(['{"a":"1"}', '{"b":"2"}']);
    });
    fc.assert(anywhere, { numRuns: line.length * 3 });
  });
});
