import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFile, RecordCache } from '../../catalog/cache.ts';
import type { Candidate, SessionRecord } from '../../catalog/session.ts';
import { NOON, TestHome } from './support/homes.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-cache-'));
  file = path.join(dir, 'cache', 'catalog.ndjson');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const candidate = (index: number, writtenAt = 1_000 - index): Candidate => ({
  harness: 'pi',
  id: `${index}`,
  path: `/x/${index}`,
  size: 10 + index,
  writtenAt,
});
const record = (title: string): SessionRecord => ({ title, recentPrompts: ['a\tb\n'], hasPrompt: true });
const all = (count: number) => new Set(Array.from({ length: count }, (_, index) => `/x/${index}`));

function stored(count: number): RecordCache {
  const cache = new RecordCache(file);
  for (let index = 0; index < count; index++) cache.put(candidate(index), record(`t${index}`));
  cache.save(() => all(count));
  return new RecordCache(file, 1);
}

describe('the cache', () => {
  it('answers for a file of the same size and time of writing, and for no other', () => {
    const cache = stored(3);
    expect(cache.get(candidate(1))).toEqual(record('t1'));
    expect(cache.get({ ...candidate(1), size: 99 })).toBeUndefined();
    expect(cache.get({ ...candidate(1), writtenAt: 5 })).toBeUndefined();
    expect(cache.get({ ...candidate(1), path: '/y' })).toBeUndefined();
  });

  it('answers in any order of asking', () => {
    const cache = stored(50);
    for (const index of [49, 0, 25, 48, 1]) expect(cache.get(candidate(index))).toEqual(record(`t${index}`));
  });

  it('remembers files that hold no session', () => {
    const cache = new RecordCache(file);
    cache.put(candidate(0), null);
    expect(cache.get(candidate(0))).toBeNull();
    cache.save(() => all(1));
    expect(new RecordCache(file).get(candidate(0))).toBeNull();
  });

  it('replaces what was read again and drops what is gone', () => {
    const cache = stored(3);
    cache.put(candidate(1, 2_000), record('new'));
    cache.save(() => all(2));
    const next = new RecordCache(file);
    expect(next.get(candidate(1, 2_000))).toEqual(record('new'));
    expect(next.get(candidate(1))).toBeUndefined();
    expect(next.get(candidate(0))).toEqual(record('t0'));
    expect(next.get(candidate(2))).toBeUndefined();
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
  });

  it('is readable by its owner alone, and made so again', () => {
    stored(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    chmodSync(file, 0o644);
    new RecordCache(file).get(candidate(0));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is not written for a few new records', () => {
    stored(3);
    const before = statSync(file);
    const cache = new RecordCache(file);
    for (let index = 10; index < 14; index++) cache.put(candidate(index), record('new'));
    cache.save(() => all(20));
    expect(statSync(file).ino).toBe(before.ino);
    for (let index = 14; index < 30; index++) cache.put(candidate(index), record('new'));
    cache.save(() => all(30));
    expect(new RecordCache(file).get(candidate(10))).toEqual(record('new'));
  });

  it('is not written when nothing was read', () => {
    new RecordCache(file).save(() => all(0));
    expect(existsSync(file)).toBe(false);
  });

  it('follows no link that somebody put in its place', () => {
    const secret = path.join(dir, 'elsewhere');
    writeFileSync(secret, 'secret');
    stored(1);
    rmSync(file);
    symlinkSync(secret, file);
    const cache = new RecordCache(file);
    expect(cache.get(candidate(0))).toBeUndefined();
    cache.put(candidate(0), record('t'));
    cache.save(() => all(1));
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  });

  it('that cannot be written is no failure', () => {
    writeFileSync(path.join(dir, 'cache'), 'a file where the folder should be');
    const cache = new RecordCache(file);
    cache.put(candidate(0), record('t'));
    expect(() => cache.save(() => all(1))).not.toThrow();
  });

  it.each([
    ['another version', (text: string) => text.replace('"version":', '"version":9')],
    ['no header', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['nothing', () => ''],
  ])('with %s is left unread', (_what, damage) => {
    stored(2);
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    expect(new RecordCache(file).get(candidate(0))).toBeUndefined();
  });

  it('with a damaged line misses that line alone', () => {
    stored(3);
    const lines = readFileSync(file, 'utf8').split('\n');
    lines[2] = `${lines[2]?.slice(0, -4)}`;
    lines.splice(2, 0, 'garbage', 'NaN\t1\t/x/1\t{}');
    writeFileSync(file, lines.join('\n'));
    const cache = new RecordCache(file);
    expect(cache.get(candidate(0))).toEqual(record('t0'));
    expect(cache.get(candidate(1))).toBeUndefined();
    expect(cache.get(candidate(2))).toEqual(record('t2'));
  });

  it('lies in the cache folder of the platform', () => {
    const around = { env: {}, platform: 'linux' as const, home: '/home/dev', uid: 1 };
    expect(cacheFile(around)).toBe('/home/dev/.cache/omni-dev/catalog.ndjson');
    expect(cacheFile({ ...around, env: { XDG_CACHE_HOME: '/c' } })).toBe('/c/omni-dev/catalog.ndjson');
    expect(cacheFile({ ...around, env: { XDG_CACHE_HOME: 'c' } })).toBe(
      '/home/dev/.cache/omni-dev/catalog.ndjson',
    );
    expect(cacheFile({ ...around, platform: 'darwin' })).toBe(
      '/home/dev/Library/Caches/omni-dev/catalog.ndjson',
    );
  });
});

describe('a catalog with a cache', () => {
  let home: TestHome;
  beforeEach(() => {
    home = new TestHome();
  });
  afterEach(() => home.remove());

  it('gives the same sessions as without, and after a change the changed one', async () => {
    const id = home.claude({ prompts: ['First.'] });
    home.codex();
    home.pi();
    const find = async (cache: boolean) => {
      const catalog = await home.catalog({ cache });
      const result = await catalog.find({ words: [] }, 20);
      catalog.save();
      return result;
    };
    const fresh = await find(false);
    expect(await find(true)).toEqual(fresh);
    expect(await find(true)).toEqual(fresh);

    home.claude({ id, prompts: ['First.', 'Second.'], at: NOON });
    expect((await find(true)).sessions[0]?.recentPrompts).toEqual(['First.', 'Second.']);
  });

  it('forgets titles and prompts once it is switched off', async () => {
    home.claude({ prompts: ['A secret plan.'] });
    const kept = cacheFile(home.around);
    const on = await home.catalog({ cache: true });
    await on.find({ words: [] }, 20);
    on.save();
    expect(readFileSync(kept, 'utf8')).toContain('A secret plan.');

    const off = await home.catalog({ cache: false });
    await off.find({ words: [] }, 20);
    off.save();
    expect(existsSync(kept)).toBe(false);
  });
});
