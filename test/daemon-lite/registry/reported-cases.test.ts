import { describe, expect, it } from 'vitest';
import { Bench } from './bench.ts';

/** Failures that users of this field reported, each as its smallest case. The ids are those of docs/reported-cases.md. */
const permission = { notification: 'permission_prompt' } as const;

describe('states', () => {
  it("A5: a subagent's answered permission leaves the parent as it was, and idle after its stop", () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit').hook(permission, { agent_id: 'a', hook: 'PermissionRequest' });
    expect(bench.state()).toBe('waiting_for_permission');
    bench.after(2).hook('post_tool_use', { agent_id: 'a' });
    expect(bench.state()).toBe('working');
    bench.after(1).hook('stop');
    expect(bench.state()).toBe('idle');
  });

  it('A9: an idle notice a minute later leaves the verdict on background work alone', () => {
    const bench = new Bench();
    bench.hook('stop', { background: { subagents: 0, shells: 1 } });
    bench.after(60).hook({ notification: 'idle_prompt' }, { hook: 'Notification' });
    expect(bench.row()).toMatchObject({ state: 'idle', background: { subagents: 0, shells: 1 } });
    bench.after(1).hook('stop');
    expect(bench.row()).not.toHaveProperty('background');
  });

  it('A10: a stop is idle, and a process that died without a word is ended', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { pid: 100 }).after(1).hook('stop', { pid: 100 });
    expect(bench.state()).toBe('idle');
    bench.hook('user_prompt_submit', { pid: 100 });
    bench.registry.pidTick(new Map([[100, 't']]));
    bench.after(10).registry.pidTick(new Map());
    expect(bench.state()).toBe('ended');
  });

  it('A11: a scan that does not find the process drops no wait', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { pid: 100 });
    bench.registry.pidTick(new Map());
    bench.after(10).registry.pidTick(new Map());
    bench.hook(permission, { pid: 100, hook: 'PermissionRequest' });
    bench.after(10).registry.pidTick(new Map());
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('A12: a session resumed by hand elsewhere follows its events, not who launched it', () => {
    const bench = new Bench();
    bench.stream('working').after(5).hook('session_start', { pid: 200 });
    bench.after(1).hook('user_prompt_submit', { pid: 200 }).after(1).hook('stop', { pid: 200 });
    expect(bench.state()).toBe('idle');
  });

  it('A14: a report from before the end of its process changes nothing afterwards', () => {
    const bench = new Bench();
    bench.hook('stop', { agent: 'codex' }).after(1).hook('user_prompt_submit', { agent: 'codex' });
    expect(bench.state()).toBe('working');
    bench.after(1).end().after(1).hook('stop', { agent: 'codex', ago: 1.5 });
    expect(bench.state()).toBe('ended');
  });

  it('A15: a permission inside an editor needs no notice: the request itself says it', () => {
    const bench = new Bench();
    bench.hook('pre_tool_use').hook(permission, { hook: 'PermissionRequest' });
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('A16: the notice of a wait that is already over does not set it again', () => {
    const bench = new Bench();
    bench.hook(permission, { hook: 'PermissionRequest' }).after(3).hook('post_tool_use');
    bench.after(5).hook(permission, { hook: 'Notification' });
    expect(bench.state()).toBe('working');
  });

  it('A19: a turn that ended by an error rests as failed', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit').after(1).hook('stop', { hook: 'StopFailure', outcome: 'failed' });
    expect(bench.row()).toMatchObject({ state: 'idle', outcome: 'failed' });
  });

  it('A21: when the connection behind a state is lost, the row says so and never asserts it further', () => {
    const bench = new Bench();
    const codex = { session_id: 'c', agent: 'codex', feed: 'codex_server' } as const;
    bench.observe({ ...codex, event: { stream_state: 'working' } });
    bench.registry.detachFeed('c', 'codex_server');
    expect(bench.row('c')).toMatchObject({ stale: true });
    bench.observe({ ...codex, event: { stream_state: 'idle' } });
    expect(bench.row('c')).toMatchObject({ state: 'idle' });
    expect(bench.row('c')).not.toHaveProperty('stale');
  });
});

describe('identity and life', () => {
  it('B1: a resume under a new id in the same process leaves one live row', () => {
    const bench = new Bench();
    bench.record('idle', { session_id: 'a' }).after(5).record('working', { session_id: 'b' });
    const live = bench.registry.list().filter((entry) => entry.state !== 'ended');
    expect(live.map((entry) => entry.session_id)).toEqual(['b']);
  });

  it("B3: a row follows the hooks' id; a file that grows under another id adds no second live work", () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { session_id: 'a', pid: 100 });
    bench.observe({ session_id: 'b', event: 'transcript_discovered', feed: 'transcript' });
    expect(bench.state('a')).toBe('working');
    expect(bench.state('b')).toBe('idle');
  });

  it('B5: a process killed in mid-turn is not left working', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { pid: 100 }).registry.pidTick(new Map([[100, 't']]));
    bench.after(10).registry.pidTick(new Map());
    expect(bench.state()).toBe('ended');
  });

  it('B6: an orphan that nobody can see keeps no row alive', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { pid: 100 });
    for (let second = 0; second < 310; second += 10) {
      bench.after(10).registry.pidTick(new Map([[100, 't']]), new Set([100]));
    }
    expect(bench.row()).toBeUndefined();
  });

  it('B9: many processes on one id are one row, and the end of one of them is not the end', () => {
    const bench = new Bench();
    for (const pid of [100, 200, 300]) bench.processes.set(pid);
    for (const pid of [100, 200, 300]) bench.after(1).record('idle', { pid });
    expect(bench.row()).toMatchObject({ owners: 3 });
    bench.end({ pid: 300 });
    expect(bench.row()).toMatchObject({ state: 'idle', owners: 2 });
  });

  it('B10: a night with the lid closed loses no row', () => {
    const bench = new Bench();
    bench.hook('stop').stream('idle', { session_id: 's2', pid: 7 });
    bench.clock.sleep(8 * 3_600_000);
    expect(bench.registry.list()).toHaveLength(2);
    expect(bench.after(299).registry.list()).toHaveLength(2);
  });

  it('C14: the end of the old process after the start of the new one is ignored', () => {
    const bench = new Bench();
    bench.hook('session_start', { pid: 100 }).after(1).hook('session_start', { pid: 200 }).end({ pid: 100 });
    expect(bench.state()).toBe('starting');
  });

  it('a clock set an hour back or ahead reaps and freezes nobody', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit');
    bench.clock.setWall(bench.clock.wall() - 3_600_000);
    bench.after(1).hook('stop');
    expect(bench.state()).toBe('idle');
    bench.clock.setWall(bench.clock.wall() + 7_200_000);
    bench.after(1).hook('user_prompt_submit');
    expect(bench.state()).toBe('working');
  });
});
