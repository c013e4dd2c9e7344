import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FeedBench } from './feed-bench.ts';

let bench: FeedBench;

beforeEach(() => {
  bench = new FeedBench();
});
afterEach(() => bench.close());

const until = (check: () => void) => vi.waitFor(check, { timeout: 8_000, interval: 20 });

function write(pid: number, more: object): string {
  const now = Date.now();
  const record = {
    pid,
    sessionId: 's1',
    cwd: '/w',
    startedAt: now,
    kind: 'interactive',
    entrypoint: 'cli',
    ...more,
  };
  return bench.write(`sessions/${pid}.json`, JSON.stringify({ statusUpdatedAt: now, ...record }));
}

describe("Claude's live records", () => {
  it('show what the process does, change by change', async () => {
    const { pid, start } = bench.agent();
    mkdirSync(path.join(bench.folder, 'sessions'));
    bench.records().start();
    write(pid, { procStart: start, status: 'busy' });
    await until(() => expect(bench.state('s1')).toBe('working'));
    write(pid, { procStart: start, status: 'waiting', waitingFor: 'permission prompt' });
    await until(() => expect(bench.state('s1')).toBe('waiting_for_permission'));
    unlinkSync(write(pid, { procStart: start, status: 'idle' }));
    await until(() => expect(bench.state('s1')).toBe('ended'));
  });

  it('of a folder that appears later are found', async () => {
    const { pid, start } = bench.agent();
    bench.records().start();
    write(pid, { procStart: start, status: 'busy' });
    await until(() => expect(bench.state('s1')).toBe('working'));
    expect(bench.warnings).toEqual([]);
  });

  it('of a folder that was removed and made anew are found', async () => {
    const { pid, start } = bench.agent();
    mkdirSync(path.join(bench.folder, 'sessions'));
    bench.records().start();
    rmSync(path.join(bench.folder, 'sessions'), { recursive: true });
    await new Promise((resolve) => setTimeout(resolve, 200));
    write(pid, { procStart: start, status: 'busy' });
    await until(() => expect(bench.state('s1')).toBe('working'));
    write(pid, { procStart: start, status: 'idle', statusUpdatedAt: Date.now() + 1 });
    await until(() => expect(bench.state('s1')).toBe('idle'));
  });

  it('B7: of a killed process or a recycled pid are no session', async () => {
    const { pid, start, kill } = bench.agent();
    const other = bench.agent();
    write(pid, { procStart: start, status: 'busy' });
    write(other.pid, { procStart: '1', sessionId: 's2', status: 'busy' });
    bench.records().start();
    await until(() => expect(bench.state('s1')).toBe('working'));
    expect(bench.state('s2')).toBeUndefined();
    kill();
    await until(() => expect(bench.state('s1')).toBe('ended'));
  });

  it('of another pid namespace say nothing here', () => {
    const { pid, start } = bench.agent();
    write(pid, { procStart: start, status: 'busy', pidDomain: 'linux:0:pid:[2]' });
    const feed = bench.records(undefined, 'pid:[1]');
    feed.start();
    expect(bench.state('s1')).toBeUndefined();
  });

  it('that are spares, workers, half-written, links or misnamed are passed over', () => {
    const { pid, start } = bench.agent();
    const other = bench.agent();
    write(pid, { procStart: start, status: 'idle', spare: true });
    bench.write(`sessions/${other.pid}.json`, '{"pid":');
    bench.write('sessions/77.json', JSON.stringify({ pid, sessionId: 's3', startedAt: 1, status: 'busy' }));
    bench.write('sessions/99.ab12.key', 'a peer token');
    symlinkSync('/etc/passwd', path.join(bench.folder, 'sessions/88.json'));
    const feed = bench.records();
    feed.start();
    expect(bench.registry.list()).toEqual([]);
    expect(feed.detail()).toMatchObject({ live: 0 });
  });

  it('A18, A22: an unknown word changes nothing and is counted', async () => {
    const { pid, start } = bench.agent();
    const feed = bench.records();
    write(pid, { procStart: start, status: 'busy' });
    feed.start();
    write(pid, { procStart: start, status: 'stopped', statusUpdatedAt: Date.now() + 1 });
    await until(() => expect(feed.detail()).toMatchObject({ unknown_words: { stopped: 1 } }));
    expect(bench.state('s1')).toBe('working');
  });

  it('a picker that is open leaves the state as it was', async () => {
    const { pid, start } = bench.agent();
    const feed = bench.records();
    write(pid, { procStart: start, status: 'idle' });
    feed.start();
    write(pid, {
      procStart: start,
      status: 'waiting',
      waitingFor: 'dialog open',
      statusUpdatedAt: Date.now() + 5,
    });
    feed.scan();
    expect(bench.state('s1')).toBe('idle');
  });

  it('a half-written record is read again in a moment', async () => {
    const { pid, start } = bench.agent();
    const file = bench.write(`sessions/${pid}.json`, '{"pid":');
    const feed = bench.records();
    feed.start();
    const record = { pid, sessionId: 's1', startedAt: Date.now(), procStart: start, status: 'busy' };
    writeFileSync(file, JSON.stringify(record));
    await until(() => expect(bench.state('s1')).toBe('working'));
  });

  it('/clear: the new id in the same record ends the old session', async () => {
    const { pid, start } = bench.agent();
    write(pid, { procStart: start, status: 'busy' });
    bench.records().start();
    write(pid, { procStart: start, status: 'busy', sessionId: 's2' });
    await until(() => expect([bench.state('s1'), bench.state('s2')]).toEqual(['ended', 'working']));
  });

  it('a folder that vanishes ends nobody who lives', async () => {
    const agents = [bench.agent(), bench.agent()];
    for (const [index, { pid, start }] of agents.entries()) {
      write(pid, { procStart: start, status: 'busy', sessionId: `s${index}` });
    }
    const feed = bench.records();
    feed.start();
    const folder = path.join(bench.folder, 'sessions');
    renameSync(folder, `${folder}-moved`);
    feed.scan();
    expect(bench.registry.list().map((entry) => entry.state)).not.toContain('ended');
    rmSync(`${folder}-moved`, { recursive: true });
  });
});
