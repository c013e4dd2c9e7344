import { describe, expect, it } from 'vitest';
import type { EndPayload, ObservePayload } from '../../../contract/messages.ts';
import type { RegistryApi } from '../../../daemon-lite/registry/api.ts';
import { SessionRegistry } from '../../../daemon-lite/registry/registry.ts';
import { Ingest } from '../../../daemon-lite/server/ingest.ts';
import { RepositoryNames } from '../../../daemon-lite/server/repository-names.ts';
import { SessionOrder } from '../../../daemon-lite/server/session-order.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A look-up that tests answer by hand. */
function manualLookups() {
  const asked: string[] = [];
  const answers = new Map<string, (name: string | undefined) => void>();
  const find = (cwd: string) => {
    asked.push(cwd);
    return new Promise<string | undefined>((resolve) => answers.set(cwd, resolve));
  };
  return { asked, find, answer: (cwd: string, name?: string) => answers.get(cwd)?.(name) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the name of a repository', () => {
  it('is looked up once for a burst of sightings and then known at once', async () => {
    let now = 0;
    const { asked, find, answer } = manualLookups();
    const names = new RepositoryNames({ find, now: () => now, ttlMs: 100 });
    const first = names.nameFor('/a');
    const second = names.nameFor('/a');
    await settle();
    answer('/a', 'proj');
    expect(await Promise.all([first, second])).toEqual(['proj', 'proj']);
    expect(names.nameFor('/a')).toBe('proj');
    expect(asked).toEqual(['/a']);
    now = 101;
    expect(names.nameFor('/a')).toBeInstanceOf(Promise);
  });

  it('is given up on after the deadline, then comes with a later sighting', async () => {
    const failures: string[] = [];
    const { find, answer } = manualLookups();
    const names = new RepositoryNames({ find, deadlineMs: 5, onFailure: (reason) => failures.push(reason) });
    expect(await names.nameFor('/dead-mount')).toBeUndefined();
    expect(await names.nameFor('/dead-mount')).toBeUndefined();
    expect(failures).toEqual(['slow']);
    answer('/dead-mount', 'proj');
    await settle();
    expect(names.nameFor('/dead-mount')).toBe('proj');
  });

  it('keeps two look-ups at most under way, so that dead disks leave threads to everybody else', async () => {
    const { asked, find, answer } = manualLookups();
    const names = new RepositoryNames({ find, deadlineMs: 10_000 });
    const all = ['/a', '/b', '/c'].map((cwd) => names.nameFor(cwd));
    await settle();
    expect(asked).toEqual(['/a', '/b']);
    answer('/a', 'a');
    await settle();
    expect(asked).toEqual(['/a', '/b', '/c']);
    answer('/b', 'b');
    answer('/c', 'c');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
  });

  it('is none when the look-up fails, which is reported', async () => {
    const failures: string[] = [];
    const find = () => Promise.reject(new Error('EIO'));
    const names = new RepositoryNames({ find, onFailure: (reason) => failures.push(reason) });
    expect(await names.nameFor('/a')).toBeUndefined();
    expect(failures).toEqual(['failed']);
  });

  it('remembers a bounded number of folders', async () => {
    let lookups = 0;
    const find = (cwd: string) => {
      lookups++;
      return Promise.resolve(cwd);
    };
    const names = new RepositoryNames({ find, ttlMs: 1e9 });
    for (let count = 0; count < 1_100; count++) await names.nameFor(`/${count}`);
    await names.nameFor('/1099');
    expect(lookups).toBe(1_100);
    await names.nameFor('/0');
    expect(lookups).toBe(1_101);
  });
});

describe('the sightings of one session', () => {
  it('are applied in the order they came in while one of them waits', async () => {
    const applied: string[] = [];
    const order = new SessionOrder();
    let release: (value: string) => void = () => {};
    const slow = new Promise<string>((resolve) => {
      release = resolve;
    });
    const first = order.run('s', slow, (value) => applied.push(value));
    const second = order.run('s', 'second', (value) => applied.push(value));
    order.run('other', 'other session', (value) => applied.push(value));
    expect(applied).toEqual(['other session']);
    release('first');
    await Promise.all([first, second]);
    expect(applied).toEqual(['other session', 'first', 'second']);
    order.run('s', 'third', (value) => applied.push(value));
    expect(applied.at(-1)).toBe('third');
  });

  it('are not held up by one that fails', async () => {
    const order = new SessionOrder();
    const failed = order.run('s', Promise.reject(new Error('no')), () => 1);
    const next = order.run('s', 2, (value) => value);
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe(2);
  });

  it('let no end overtake the sighting before it', async () => {
    const applied: string[] = [];
    const registry = {
      observe: (payload: ObservePayload) => {
        applied.push(`observe ${payload.repo}`);
        return 'created';
      },
      end: (payload: EndPayload) => {
        applied.push(`end ${payload.session_id}`);
        return { ended: true, outcome: 'ended' };
      },
    } as unknown as RegistryApi;
    const { find, answer } = manualLookups();
    const ingest = new Ingest(registry, new RepositoryNames({ find, deadlineMs: 10_000 }));
    const observed = ingest.observe({ session_id: 's', event: 'stop', cwd: '/a' }, 'socket');
    const ended = ingest.end({ session_id: 's' }, 'socket');
    await settle();
    answer('/a', 'proj');
    await Promise.all([observed, ended]);
    expect(applied).toEqual(['observe proj', 'end s']);
  });
});

describe('a live record', () => {
  it('that is gone before its repository was found leaves no row', async () => {
    const clock = new FakeClock();
    const registry = new SessionRegistry({ clock });
    const { find, answer } = manualLookups();
    const ingest = new Ingest(registry, new RepositoryNames({ find, deadlineMs: 10_000 }));
    const now = clock.wall();
    ingest.record({ session_id: 's', pid: 7, state: 'working', cwd: '/a', statusAt: now, startedAt: now });
    ingest.recordGone('s', 7, 'removed');
    await settle();
    answer('/a', 'proj');
    await settle();
    expect(registry.list().filter((row) => row.state !== 'ended')).toEqual([]);
  });
});

describe('a sighting', () => {
  function ingestWith(name: string | undefined) {
    const seen: ObservePayload[] = [];
    const registry = { observe: (payload: ObservePayload) => void seen.push(payload) };
    return { seen, ingest: new Ingest(registry as unknown as RegistryApi, { nameFor: () => name }) };
  }

  it('gets the repository of its cwd', () => {
    const { seen, ingest } = ingestWith('proj');
    ingest.observe({ session_id: 's', event: 'stop', cwd: '/a' }, 'socket');
    expect(seen[0]?.repo).toBe('proj');
  });

  it('keeps the repository that its sender named, and has none without a cwd', () => {
    const { seen, ingest } = ingestWith('proj');
    ingest.observe({ session_id: 's', event: 'stop', cwd: '/a', repo: 'own' }, 'socket');
    ingest.observe({ session_id: 's', event: 'stop' }, 'socket');
    expect(seen.map(({ repo }) => repo)).toEqual(['own', undefined]);
  });
});
