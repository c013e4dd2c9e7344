import { describe, expect, it } from 'vitest';
import { byAttention } from '../../cli/view/attention-order.ts';
import { cellText, cellWidth, cut, fitCell, fitPath } from '../../cli/view/cells.ts';
import { shortDuration } from '../../cli/view/duration.ts';
import { listLines } from '../../cli/view/list-table.ts';
import { toRows } from '../../cli/view/row.ts';
import { readKeys } from '../../cli/watch/keys.ts';
import { changes } from '../../cli/watch/screen.ts';
import { SinceMemory } from '../../cli/watch/since.ts';
import { entry } from './support/entries.ts';

describe('cells', () => {
  it('counts East Asian and emoji characters as two cells, combining ones as none', () => {
    expect(cellWidth('abc')).toBe(3);
    expect(cellWidth('日本')).toBe(4);
    expect(cellWidth('e\u0301')).toBe(1);
    expect(cellWidth('👍')).toBe(2);
  });

  it('cuts at a whole character and fills up to the width', () => {
    expect(fitCell('日本語', 4)).toBe('日… ');
    expect(fitCell('ab', 4)).toBe('ab  ');
    expect(cut('abcdef', 4)).toBe('abc…');
    expect(cut('abcdef', 0)).toBe('');
  });

  it('keeps the end of a path', () => {
    expect(fitPath('/a/very/long/path', 8)).toBe('…ng/path');
    expect(fitPath('/a', 4)).toBe('/a  ');
  });

  it('leaves out what terminals draw differently', () => {
    expect(cellText('a\u200bb\u2028c\ufe0fd👍🏽')).toBe('abcd👍');
  });
});

describe('durations', () => {
  it.each([
    [-5, '0s'],
    [59_999, '59s'],
    [60_000, '1m00s'],
    [3_599_000, '59m59s'],
    [3_600_000, '1h00m'],
    [86_400_000, '1d00h'],
    [8_640_000_000, '100d'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(shortDuration(ms)).toBe(text);
    expect(text.length).toBeLessThanOrEqual(6);
  });
});

describe('rows', () => {
  it('passes over what is no session and reads nothing of a wrong type', () => {
    const rows = toRows({
      sessions: [
        null,
        5,
        {},
        { session_id: 'a' },
        { session_id: 'b', state: 'idle', cwd: 5, repo: [], since: 'soon' },
      ],
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ id: 'b', cwd: undefined, repo: undefined, since: undefined, name: 'b' });
  });

  it('come in the order of attention: waiting longest first, ended last', () => {
    const at = (minute: number) => ({ since: `2026-10-03T00:${minute}:00Z` });
    const rows = toRows({
      sessions: [
        entry('ended', { state: 'ended', ...at(10) }),
        entry('idle-old', at(10)),
        entry('idle-new', at(30)),
        entry('starting', { state: 'starting', ...at(10) }),
        entry('working', { state: 'working', ...at(10) }),
        entry('asks-late', { state: 'waiting_for_permission', ...at(30) }),
        entry('asks-early', { state: 'waiting_for_input', ...at(20) }),
      ],
    });
    expect(byAttention(rows).map((row) => row.id)).toEqual([
      'asks-early',
      'asks-late',
      'working',
      'starting',
      'idle-new',
      'idle-old',
      'ended',
    ]);
  });

  it('show a failed turn, background work and a stale state in the STATE column', () => {
    const states = listLines(
      {
        sessions: [
          entry('a', { outcome: 'failed' }),
          entry('b', { outcome: 'done' }),
          entry('c', { background: { subagents: 2, shells: 0 }, outcome: 'done' }),
          entry('d', { state: 'waiting_for_permission', stale: true }),
        ],
      },
      0,
    ).map((line) => line.slice(0, 13).trimEnd());
    expect(states).toEqual(['STATE', 'idle (failed)', 'idle', 'idle (+2)', 'waiting-perm?']);
  });
});

describe('since, with a daemon that does not say it', () => {
  it('counts from the change that was seen, and forgets sessions that are gone', () => {
    const memory = new SinceMemory();
    const seen = Date.parse('2026-10-03T00:00:00Z');
    const fill = (state: 'idle' | 'working', now: number) =>
      memory.fill(toRows({ sessions: [entry('a', { state })] }), now)[0]?.since;
    expect(fill('idle', 5_000)).toBe(seen);
    expect(fill('working', 9_000)).toBe(9_000);
    expect(fill('working', 12_000)).toBe(9_000);
    memory.fill([], 13_000);
    expect(fill('working', 14_000)).toBe(seen);
  });
});

describe('the screen', () => {
  it('rewrites only lines that differ, and erases lines that are gone', () => {
    expect(changes(['a', 'b', 'c'], ['a', 'x'])).toBe('\u001b[2;1Hx\u001b[0m\u001b[K\u001b[3;1H\u001b[K');
    expect(changes(['a'], ['a'])).toBe('');
    expect(changes(undefined, ['a'])).toContain('\u001b[2J');
  });
});

describe('the keyboard', () => {
  it('names keys, keeps typed text and passes over what it does not know', () => {
    expect(readKeys('q\u001b[A\u001b[B\u001b[5~\u001b[1;5C\u0001日')).toEqual([
      'q',
      'up',
      'down',
      'page-up',
      '日',
    ]);
    expect(readKeys('\u001b')).toEqual(['escape']);
    expect(readKeys('\u0003')).toEqual(['ctrl-c']);
  });
});
