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
    const read = tee.reader('from_claude', () => false);
    read(lines('a\nb'));
    read(lines('c\nd\n'));
    expect(tee.take()).toEqual([{ direction: 'from_claude', line: 'bc' }]);
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
