import { describe, expect, it } from 'vitest';
import { Bench } from './bench.ts';

const permission = { notification: 'permission_prompt' } as const;
const request = { hook: 'PermissionRequest' } as const;

/** A bench on which the processes 100 and 200 live. */
function benchOfTwo(pidNamespace?: string): Bench {
  const bench = new Bench(pidNamespace);
  bench.processes.set(100);
  bench.processes.set(200);
  return bench;
}

describe('a session in two processes, one of them behind an exact feed', () => {
  it('shows the wait of the other one, which only its record tells', () => {
    const bench = benchOfTwo();
    bench.stream('working').after(1).stream('idle');
    bench.after(5).record('waiting_for_permission', { pid: 200 });
    expect(bench.row()).toMatchObject({ state: 'waiting_for_permission', feed: 'claude_record', owners: 2 });
    expect(bench.registry.why('s1')).toMatchObject({ decided_by: 'claude_record' });
    bench.after(1).record('idle', { pid: 200 });
    expect(bench.row()).toMatchObject({ state: 'idle', feed: 'claude_stream' });
  });

  it('is not moved by the record of the process behind the feed', () => {
    const bench = benchOfTwo();
    bench.stream('working').record('waiting_for_permission', { pid: 100 }).after(1).stream('idle');
    expect(bench.row()).toMatchObject({ state: 'idle' });
    expect(bench.row()).not.toHaveProperty('owners');
  });

  it('keeps showing the wait of the first one when the second one takes the session over', () => {
    const bench = benchOfTwo();
    bench.record('waiting_for_permission', { pid: 100 });
    bench.after(1).stream('working', { pid: 200 }).stream('idle', { pid: 200 });
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('counts a process once, whether its launcher or itself is named', () => {
    const bench = benchOfTwo();
    bench.processes.set(101, { parent: 100 });
    bench.stream('idle').record('waiting_for_permission', { pid: 101 });
    expect(bench.row()).toMatchObject({ state: 'idle' });
    expect(bench.row()).not.toHaveProperty('owners');
  });
});

describe('one of two processes ends', () => {
  it('a record that goes ends nothing when the session went on to a container', () => {
    const bench = benchOfTwo('pid:[1]');
    bench
      .record('idle')
      .after(1)
      .hook(permission, { pid: 7, pid_ns: 'pid:[2]', ...request });
    bench.registry.recordGone('s1', 100, 'removed');
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('a record that goes ends nothing when another living process owns the session', () => {
    const bench = benchOfTwo();
    bench.hook(permission, { pid: 200, ...request }).record('idle', { pid: 100 });
    bench.processes.kill(100);
    bench.registry.recordGone('s1', 100, 'dead');
    expect(bench.row()).toMatchObject({ state: 'waiting_for_permission', feed: 'hook' });
  });

  it('a successor that is killed leaves the session to the process that waits in it', () => {
    const bench = benchOfTwo();
    bench.hook(permission, { pid: 100, ...request });
    bench.registry.pidTick(new Map([[100, 't100']]));
    bench.after(1).hook('session_start', { pid: 200 });
    bench.registry.pidTick(new Map([[200, 't200']]));
    bench.processes.kill(200);
    bench.after(10).registry.pidTick(new Map());
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('so does one whose record is removed', () => {
    const bench = benchOfTwo();
    bench.hook(permission, { pid: 100, ...request });
    bench.registry.pidTick(new Map([[100, 't100']]));
    bench.after(1).hook('session_start', { pid: 200 }).record('idle', { pid: 200 });
    bench.registry.recordGone('s1', 200, 'removed');
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('so does one that moves on to another session', () => {
    const bench = benchOfTwo();
    bench.record('idle', { session_id: 'a', pid: 100 });
    bench.after(1).record('waiting_for_permission', { session_id: 'a', pid: 200 });
    const statusAt = bench.clock.wall();
    bench.after(1).record('idle', { session_id: 'b', pid: 100 });
    bench.registry.recordGone('a', 100, 'removed');
    for (let second = 0; second < 400; second += 10)
      bench.after(10).record('waiting_for_permission', { session_id: 'a', pid: 200, statusAt });
    expect(bench.state('a')).toBe('waiting_for_permission');
  });

  it('what the first process said meanwhile is what it shows when it gets the session back', () => {
    const bench = benchOfTwo();
    bench.stream('working').registry.pidTick(new Map([[100, 't100']]));
    bench.after(1).hook('session_start', { pid: 200 }).after(1).stream('idle', { pid: 100 });
    expect(bench.state(), 'nobody sees it while the successor lives').toBe('starting');
    bench.after(1).end({ pid: 200 });
    expect(bench.state()).toBe('idle');
  });
});
