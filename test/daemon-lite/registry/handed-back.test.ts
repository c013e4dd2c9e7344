import { describe, expect, it } from 'vitest';
import { Bench } from './bench.ts';

const permission = { notification: 'permission_prompt' } as const;

/** A session that process 200 took over from process 100, both alive. */
function takenOver(): Bench {
  const bench = new Bench();
  bench.processes.set(100);
  bench.processes.set(200);
  bench.hook('user_prompt_submit', { pid: 100 });
  bench.registry.pidTick(new Map([[100, 't100']]));
  return bench.after(1).hook('session_start', { pid: 200 });
}

describe('a session goes back to the process that had it before', () => {
  it('and ends with that process, also when it dies before the next poll', () => {
    const bench = takenOver();
    bench.end({ pid: 200 });
    expect(bench.state()).toBe('working');
    bench.processes.kill(100);
    bench.after(1).registry.pidTick(new Map());
    expect(bench.state()).toBe('ended');
  });

  it('a second word of the same end, from a process that is gone by now, ends nothing', () => {
    const bench = takenOver();
    bench.end({ pid: 200 });
    bench.processes.kill(200);
    bench.after(1).end({ pid: 200, reason: 'other' });
    expect(bench.state()).toBe('working');
  });

  it('a late hook of the process that is gone changes nothing', () => {
    const bench = takenOver();
    bench.stream('idle', { pid: 100 });
    bench.processes.kill(200);
    bench.end({ pid: 200 }).after(0.2).hook('user_prompt_submit', { pid: 200 });
    expect(bench.state()).toBe('idle');
  });

  it('what its exact feed said meanwhile is not overwritten by its hooks, which come in any order', () => {
    const bench = takenOver();
    bench.stream('waiting_for_permission', { pid: 100 }).hook('pre_tool_use', { pid: 100 });
    bench.end({ pid: 200 });
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('and is kept from then on, however long the other one rested', () => {
    const bench = takenOver().after(299);
    bench.end({ pid: 200 });
    expect(bench.after(20).state()).toBe('working');
  });
});

describe('a process that went on to another session', () => {
  it('gets the one it left not back, and keeps it from ending with nobody', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    bench.record('idle', { session_id: 'a', pid: 200 });
    bench.after(1).record('working', { session_id: 'a', pid: 100 });
    bench.after(1).record('idle', { session_id: 'b', pid: 200 });
    bench.registry.recordGone('a', 200, 'removed');
    bench.processes.kill(100);
    bench.after(5).registry.recordGone('a', 100, 'dead');
    expect(bench.state('a')).toBe('ended');
    expect(bench.state('b')).toBe('idle');
  });

  it('does not keep the one it left when that ends in another process', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    bench.record('idle', { session_id: 'a', pid: 100 });
    bench.after(1).record('idle', { session_id: 'b', pid: 100 });
    bench.after(1).record('idle', { session_id: 'a', pid: 200 });
    bench.processes.kill(200);
    bench.after(5).registry.recordGone('a', 200, 'removed');
    expect(bench.state('a')).toBe('ended');
  });

  it('and is killed before the next poll takes that one with it too', () => {
    const bench = new Bench();
    bench.hook('session_start', { session_id: 'a', pid: 1 });
    bench.registry.pidTick(new Map([[1, 't']]));
    bench.hook('session_start', { session_id: 'b', pid: 1 });
    bench.after(1).registry.pidTick(new Map());
    expect(bench.state('b')).toBe('ended');
  });
});

describe('two processes on one session', () => {
  it("a prompt of one raises no doubt about the other's record", () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    bench.record('idle', { pid: 100 }).after(1).hook('session_start', { pid: 200 });
    bench.record('working', { pid: 200 }).hook('user_prompt_submit', { pid: 200 });
    bench.after(20).record('idle', { pid: 200 });
    bench.processes.kill(200);
    bench.registry.recordGone('s1', 200, 'dead');
    expect(bench.row()).toMatchObject({ state: 'idle', feed: 'claude_record' });
  });
});

describe('a tool that was refused', () => {
  it('does not hide the wait of the next one, whose announcement comes after its request', () => {
    const bench = new Bench();
    const announce = (id: string) => bench.hook('pre_tool_use', { hook: 'PreToolUse', tool_use_id: id });
    const ask = () => bench.hook(permission, { hook: 'PermissionRequest' });
    bench.hook('user_prompt_submit').after(1);
    announce('refused').after(0.2);
    ask().after(3);
    ask().after(0.2);
    announce('next');
    expect(bench.state()).toBe('waiting_for_permission');
  });
});
