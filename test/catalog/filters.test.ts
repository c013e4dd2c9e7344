import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSince, passesFilters } from '../../catalog/query.ts';
import type { Session } from '../../catalog/session.ts';
import { mentionsWork } from '../../catalog/words.ts';
import { NOON, TestHome } from './support/homes.ts';

const session = (fields: Partial<Session> = {}): Session => ({
  harness: 'codex',
  id: 'a',
  cwd: '/src/shop/till',
  lastActivityAt: '2026-11-30T11:00:00.000Z',
  recentPrompts: [],
  state: 'resumable',
  repository: 'github.com/acme/shop',
  transcript: '/x',
  ...fields,
});

describe('a filter', () => {
  it.each([
    ['harness', { harness: 'codex' as const }, { harness: 'pi' as const }],
    ['part of the repository', { repo: 'ACME/sh' }, { repo: 'other' }],
    ['directory or one above it', { cwd: '/src/shop' }, { cwd: '/src/sho' }],
    ['the directory itself', { cwd: '/src/shop/till' }, { cwd: '/src/shop/till/deeper' }],
    ['state', { state: 'resumable' as const }, { state: 'running' as const }],
    ['time', { since: NOON - 2 * 3_600_000 }, { since: NOON - 1_800_000 }],
  ])('by %s', (_what, fits, fitsNot) => {
    expect(passesFilters(session(), { words: [], ...fits })).toBe(true);
    expect(passesFilters(session(), { words: [], ...fitsNot })).toBe(false);
  });

  it('by directory or repository leaves out sessions that have none', () => {
    const { cwd: _cwd, repository: _repository, ...bare } = session();
    expect(passesFilters(bare, { words: [], cwd: '/' })).toBe(false);
    expect(passesFilters(bare, { words: [], repo: 'a' })).toBe(false);
  });
});

describe('a time to look back to', () => {
  it.each([
    ['90m', NOON - 90 * 60_000],
    ['12h', NOON - 12 * 3_600_000],
    ['3d', NOON - 3 * 86_400_000],
    ['2w', NOON - 14 * 86_400_000],
    ['2026-11-29', new Date(2026, 10, 29).getTime()],
    ['2026-11-29T10:00:00Z', Date.parse('2026-11-29T10:00:00Z')],
    ['2026-11-29T10:00:00+02:00', Date.parse('2026-11-29T08:00:00Z')],
  ])('%s', (text, expected) => {
    expect(parseSince(text, NOON)).toBe(expected);
  });

  it.each(['', 'yesterday', '3', '-3d', '3y', '2026-02-30', '2026-13-01', '1e9d'])('%j is none', (text) => {
    expect(parseSince(text, NOON)).toBeUndefined();
  });
});

describe('a work item', () => {
  it.each([
    [{ title: 'Start INIT-SHOP-001' }, true],
    [{ recentPrompts: ['see init-shop-001, please'] }, true],
    [{ gitBranch: 'feature/INIT-SHOP-001' }, true],
    [{ title: 'INIT-SHOP-0012' }, false],
    [{ title: 'XINIT-SHOP-001' }, false],
    [{ title: 'INIT-SHOP-0012 and INIT-SHOP-001' }, true],
    [{}, false],
  ])('%j', (fields, expected) => {
    expect(mentionsWork(session(fields), 'INIT-SHOP-001')).toBe(expected);
  });
});

describe('filters on a whole home', () => {
  let home: TestHome;
  beforeEach(() => {
    home = new TestHome();
  });
  afterEach(() => home.remove());

  it('are applied before the page is cut', async () => {
    for (let index = 0; index < 5; index++) home.claude({ at: NOON - index * 60_000 });
    const codex = home.codex({ at: NOON - 3_600_000 });
    const { sessions } = await (await home.catalog()).find({ words: [], harness: 'codex' }, 1);
    expect(sessions.map(({ id }) => id)).toEqual([codex]);
  });

  it('find words in titles, prompts, directories and branches', async () => {
    home.claude({ prompts: ['Repair the coffee machine.'], cwd: '/src/kitchen' });
    home.claude({ prompts: ['Paint the fence.'] });
    const catalog = await home.catalog();
    for (const words of [['coffee'], ['kitchen'], ['repair', 'kitchen'], ['cofee']]) {
      const { sessions } = await catalog.find({ words }, 20);
      expect(sessions.map(({ title }) => title)).toEqual(['Repair the coffee machine.']);
    }
    expect((await catalog.find({ words: ['bicycle'] }, 20)).sessions).toEqual([]);
  });
});
