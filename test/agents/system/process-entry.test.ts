import { describe, expect, it } from 'vitest';
import { isOrphan, parsePsTable, parseStat } from '../../../agents/system/process-entry.ts';

function stat(name: string, state = 'S', parent = 42, terminal = 34816): string {
  const rest = Array.from({ length: 30 }, (_, index) => index + 100);
  rest[13] = 777;
  return `4711 (${name}) ${state} ${parent} 4711 4711 ${terminal} 4711 ${rest.join(' ')}\n`;
}

describe('/proc/<pid>/stat', () => {
  it('gives parent, start token and start time', () => {
    expect(parseStat(stat('claude'), 1_000_000)).toEqual({
      pid: 4711,
      parent: 42,
      name: 'claude',
      token: '777',
      startedAt: 1_000_000 + 7_770,
      zombie: false,
      terminal: true,
    });
  });

  it('is read past any name', () => {
    for (const name of ['a b', 'tricky) S 1 (x', '((', '']) {
      expect(parseStat(stat(name), undefined)).toMatchObject({ name, parent: 42, token: '777' });
    }
  });

  it('tells the dead that nobody waited for, and orphans', () => {
    expect(parseStat(stat('x', 'Z'), undefined)?.zombie).toBe(true);
    const orphan = parseStat(stat('x', 'S', 1, 0), undefined);
    expect(orphan !== null && isOrphan(orphan)).toBe(true);
    const daemonized = parseStat(stat('x', 'S', 1, 34816), undefined);
    expect(daemonized !== null && isOrphan(daemonized)).toBe(false);
  });

  it('of another shape is nothing', () => {
    for (const text of ['', '12', '12 (x', '12 (x) S', 'x (y) S 1']) expect(parseStat(text, 0)).toBeNull();
  });
});

describe('ps', () => {
  const output = [
    '    1     0 Ss   ??       Sun Nov  1 08:00:00 2026     /sbin/launchd',
    '  812   401 S+   ttys003  Mon Nov 30 09:05:07 2026     /opt/homebrew/bin/claude',
    '  813     1 Z    ??       Mon Nov 30 09:05:08 2026     (claude)',
    'a line of another shape',
  ].join('\n');

  it('gives the same facts from its table', () => {
    const table = parsePsTable(output);
    expect(table.get(812)).toEqual({
      pid: 812,
      parent: 401,
      name: 'claude',
      token: 'Mon Nov 30 09:05:07 2026',
      startedAt: Date.UTC(2026, 10, 30, 9, 5, 7),
      zombie: false,
      terminal: true,
    });
    expect(table.get(813)).toMatchObject({ zombie: true, terminal: false });
    expect(table.size).toBe(3);
  });
});
