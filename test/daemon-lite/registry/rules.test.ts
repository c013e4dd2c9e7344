import { describe, expect, it } from 'vitest';
import { Bench } from './bench.ts';

/** The sequences that break a naive registry, one by one. */
describe('who owns a session', () => {
  it('a live old process gets its session back when its successor is gone', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    bench.hook('user_prompt_submit', { pid: 100 }).after(1).hook('session_start', { pid: 200 });
    bench.after(1).hook('pre_tool_use', { pid: 100 });
    expect(bench.state(), 'ignored while the successor lives').toBe('starting');
    bench.processes.kill(200);
    bench.after(1).hook('pre_tool_use', { pid: 100 });
    expect(bench.state()).toBe('working');
  });

  it('the end of the successor hands the session back to the process that is known to go on', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    bench.hook('user_prompt_submit', { pid: 100 });
    bench.registry.pidTick(new Map([[100, 't100']]));
    bench.after(1).hook('session_start', { pid: 200 }).after(1).end({ pid: 200 });
    expect(bench.state()).toBe('working');
  });

  it('a process that had ended the session is no heir when its successor ends', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    bench.hook('user_prompt_submit', { pid: 100 });
    bench.registry.pidTick(new Map([[100, 't100']]));
    bench.after(1).end({ pid: 100 }).after(1).hook('session_start', { pid: 200 });
    bench.after(1).end({ pid: 200 });
    expect(bench.state()).toBe('ended');
  });

  it('a process whose late end was ignored is no heir either', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    bench.hook('user_prompt_submit', { pid: 100 });
    bench.registry.pidTick(new Map([[100, 't100']]));
    bench.after(1).hook('session_start', { pid: 200 }).after(1).end({ pid: 100 });
    expect(bench.state(), 'the successor goes on').toBe('starting');
    bench.after(1).end({ pid: 200 });
    expect(bench.state()).toBe('ended');
  });

  it('a session that ended twice can be begun again by the first process, known to live or not', () => {
    const bench = new Bench();
    bench.hook('session_start', { pid: 100 }).after(1).end({ pid: 100 });
    bench.after(1).hook('session_start', { pid: 200 }).after(1).end({ pid: 200 });
    bench.after(1).hook('stop', { pid: 100 });
    expect(bench.state(), 'a straggler').toBe('ended');
    bench.after(1).hook('session_start', { pid: 100 });
    expect(bench.state()).toBe('starting');
  });

  it('a dead pid or a shell never takes a session over', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(300, { shell: true });
    bench.processes.kill(301);
    bench.stream('waiting_for_permission');
    bench.hook('post_tool_use', { pid: 300 }).hook('post_tool_use', { pid: 301 });
    expect(bench.state()).toBe('waiting_for_permission');
    expect(bench.registry.why('s1')).toMatchObject({ pid: 100, replaced_pids: [] });
  });

  it('a launcher and the agent it started are one owner', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(101, { parent: 100 });
    bench.stream('working').hook('pre_tool_use', { pid: 101 });
    expect(bench.registry.why('s1')).toMatchObject({ pid: 100, replaced_pids: [] });
    bench.end({ pid: 101 });
    expect(bench.state()).toBe('ended');
  });

  it('a pid that is recycled before the first look at it keeps no session', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.hook('user_prompt_submit', { pid: 100 });
    bench.after(5).registry.pidTick(new Map([[100, 'another start']]));
    expect(bench.state()).toBe('ended');
  });

  it("a shared server's pid owns nothing", () => {
    const bench = new Bench();
    bench.processes.set(500, { shared: true });
    bench.hook('user_prompt_submit', { pid: 500, agent: 'codex' });
    expect(bench.registry.watchedPids()).toEqual([]);
  });

  it('a pid of another namespace is no proof of anything', () => {
    const bench = new Bench('pid:[1]');
    bench.processes.kill(77);
    bench.hook('user_prompt_submit', { pid: 77, pid_ns: 'pid:[2]' });
    expect(bench.state()).toBe('working');
    expect(bench.registry.watchedPids()).toEqual([]);
    bench.hook('session_start', { pid: 77, pid_ns: 'pid:[3]' });
    expect(bench.registry.why('s1')).toMatchObject({ replaced_pids: [77] });
  });

  it('two live processes on one session are one row with two owners', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(200);
    bench.record('idle', { pid: 100 }).after(1).record('working', { pid: 200 });
    expect(bench.row()).toMatchObject({ state: 'working', owners: 2 });
    bench.after(1).hook('stop', { pid: 200 }).end({ pid: 200 });
    expect(bench.row()).toMatchObject({ state: 'idle' });
    expect(bench.row()).not.toHaveProperty('owners');
  });

  it('a wait of either process on a shared session is never hidden', () => {
    const bench = new Bench();
    bench.record('waiting_for_permission', { pid: 100 }).after(1).record('working', { pid: 200 });
    expect(bench.state()).toBe('waiting_for_permission');
  });
});

describe('order of events', () => {
  it('a late tool event never moves the state, but fills what is missing', () => {
    const bench = new Bench();
    bench.hook('stop').after(1).hook('pre_tool_use', { ago: 3, cwd: '/late' });
    expect(bench.row()).toMatchObject({ state: 'idle', cwd: '/late' });
  });

  it('a late prompt marks the session as prompted', () => {
    const bench = new Bench();
    bench.hook('pre_tool_use', { pid: 100 }).after(1).hook('user_prompt_submit', { ago: 3, pid: 100 });
    expect(bench.registry.why('s1')).toMatchObject({ prompted: true });
  });

  it("a late subagent's request still sets that subagent's wait, unless it was answered since", () => {
    const bench = new Bench();
    const request = { notification: 'permission_prompt' } as const;
    bench.hook('user_prompt_submit').after(2).hook('pre_tool_use', { agent_id: 'b' });
    bench.hook(request, { agent_id: 'a', ago: 1 });
    expect(bench.state()).toBe('waiting_for_permission');
    bench.after(1).hook('post_tool_use', { agent_id: 'a' });
    expect(bench.state()).toBe('working');
    bench.hook(request, { agent_id: 'a', ago: 2 });
    expect(bench.state()).toBe('working');
  });

  it('a tool event of a finished turn is liveness only', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { prompt_id: 'p1' }).after(1).hook('stop', { prompt_id: 'p1' });
    bench.after(1).hook('post_tool_use', { prompt_id: 'p1' });
    expect(bench.state()).toBe('idle');
    bench.after(5).hook('pre_tool_use', { prompt_id: 'p1' });
    expect(bench.state(), 'a stop hook sent the agent on').toBe('working');
  });

  it('an event from before the end brings no session back', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.record('working').hook('pre_tool_use', { pid: 100 }).after(2);
    bench.registry.recordGone('s1', 100, 'dead');
    bench.after(0.1).hook('post_tool_use', { pid: 100, ago: 0.5 });
    expect(bench.state()).toBe('ended');
    bench.processes.kill(100);
    bench.after(0.1).hook('post_tool_use', { pid: 100 });
    expect(bench.state(), 'a hook that outlived its agent').toBe('ended');
  });
});

describe('notices', () => {
  const notice = { notification: 'permission_prompt' } as const;

  it('a notice that comes six seconds after the answered request sets no wait', () => {
    const bench = new Bench();
    bench.hook('pre_tool_use').hook(notice, { hook: 'PermissionRequest' });
    expect(bench.state()).toBe('waiting_for_permission');
    bench.after(3).hook('post_tool_use').after(5).hook(notice, { hook: 'Notification' });
    expect(bench.state()).toBe('working');
  });

  it('a notice does not turn a question into a permission', () => {
    const bench = new Bench();
    bench.hook({ notification: 'agent_needs_input' }, { hook: 'PermissionRequest' });
    bench.after(6).hook(notice, { hook: 'Notification' });
    expect(bench.state()).toBe('waiting_for_input');
  });

  it('a notice of a version without requests sets the wait', () => {
    const bench = new Bench();
    bench.hook('pre_tool_use').hook(notice, { hook: 'Notification' });
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('an idle notice leaves a resting session idle', () => {
    const bench = new Bench();
    bench.hook('stop').after(60).hook({ notification: 'idle_prompt' });
    expect(bench.state()).toBe('idle');
  });
});

describe('background work', () => {
  it('stands until a later stop, prompt or session start tells it anew', () => {
    const bench = new Bench();
    bench.hook('stop', { background: { subagents: 0, shells: 1 }, outcome: 'done' });
    bench.after(60).hook({ notification: 'idle_prompt' });
    expect(bench.row()).toMatchObject({ state: 'idle', background: { shells: 1 }, outcome: 'done' });
    bench.hook('user_prompt_submit');
    expect(bench.row()).not.toHaveProperty('background');
    expect(bench.row()).not.toHaveProperty('outcome');
  });

  it('a stop while a subagent waits for permission keeps that wait', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit').hook({ notification: 'permission_prompt' }, { agent_id: 'a' });
    bench.after(1).hook('stop', { background: { subagents: 1, shells: 0 } });
    expect(bench.state()).toBe('waiting_for_permission');
    bench.after(1).hook('post_tool_use', { agent_id: 'a' });
    expect(bench.state()).toBe('working');
  });
});
