import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Tee } from '../../../wrappers/claude/tee.ts';

const lines = (text: string) => Buffer.from(text);

describe('a tee', () => {
  it('keeps the order in which lines of both directions passed', () => {
    const tee = new Tee();
    const from = tee.reader('from_claude');
    const to = tee.reader('to_claude');
    from(lines('a\nb'));
    to(lines('1\n'));
    from(lines('c\n'));
    expect(tee.take()).toEqual([
      { direction: 'from_claude', line: 'a' },
      { direction: 'to_claude', line: '1' },
      { direction: 'from_claude', line: 'bc' },
    ]);
  });

  it('asks for room before it drops', () => {
    const tee = new Tee(2);
    const taken: unknown[] = [];
    tee.onFull = () => taken.push(...tee.take());
    tee.reader('from_claude')(lines('a\nb\nc\nd\n'));
    expect(taken.length + tee.take().length).toBe(4);
    expect(tee.counters.tee_full).toBe(0);
  });

  it('tells of a loss in the place where it happened, once', () => {
    const tee = new Tee(2);
    tee.reader('from_claude')(lines('a\nb\nc\nd\n'));
    expect(tee.take()).toEqual([
      { direction: 'from_claude', line: 'a' },
      { direction: 'from_claude', line: 'b' },
      { direction: 'from_claude', dropped: true },
    ]);
    expect(tee.counters.tee_full).toBe(2);
  });

  it('offers no line that the filter does not want, unless it spans reads', () => {
    const tee = new Tee();
    const read = tee.reader('from_claude', { skips: () => false, wants: () => false });
    read(lines('a\nb'));
    read(lines('c\nd\n'));
    expect(tee.take()).toEqual([{ direction: 'from_claude', line: 'bc' }]);
  });

  it('passes over a line by its beginning, in however many reads it comes, and counts an over-long one', () => {
    const tee = new Tee();
    const skips = (view: DataView, start: number) => view.getUint8(start) === 0x78;
    const read = tee.reader('from_claude', { skips, wants: () => true });
    read(lines('a\nx'));
    read(lines('x'));
    read(lines('x\nb'));
    read(lines('xx\nx'));
    read(Buffer.alloc(2_000_000, 'x'));
    read(lines('\nc\n'));
    expect(tee.take().map((offer) => ('line' in offer ? offer.line : offer))).toEqual(['a', 'bxx', 'c']);
    expect(tee.counters.tee_oversize).toBe(1);
  });

  it('offers exactly the lines that the filter does not skip, wherever the reads are cut', () => {
    const text = fc.array(fc.constantFrom('x', 'y', 'xx', '\n', '\n\n', 'xy\n', 'yx'), { maxLength: 40 });
    const property = fc.property(text, fc.array(fc.nat({ max: 60 })), (pieces, cuts) => {
      const all = Buffer.from(pieces.join(''));
      const places = [...new Set(cuts.map((cut) => Math.min(cut, all.length)))].sort((a, b) => a - b);
      const skips = (view: DataView, start: number) => view.getUint8(start) === 0x78;
      const tee = new Tee();
      const read = tee.reader('from_claude', { skips, wants: () => true });
      for (const [at, end] of [...places, all.length].entries()) read(all.subarray(places[at - 1] ?? 0, end));
      const whole = all.toString().split('\n').slice(0, -1);
      const offered = tee.take().map((offer) => ('line' in offer ? offer.line : offer));
      expect(offered).toEqual(whole.filter((line) => !line.startsWith('x')));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('only counts once it is closed', () => {
    const tee = new Tee();
    const read = tee.reader('from_claude');
    read(lines('a\n'));
    tee.close();
    read(lines('b\n'));
    expect(tee.take()).toEqual([]);
    expect(tee.counters.tee_closed).toBe(1);
  });
});
