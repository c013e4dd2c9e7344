import { describe, expect, it } from 'vitest';
import { Bench } from './bench.ts';

describe('a daemon that was stalled hears of an end and of what came after it in one moment', () => {
  it('a resume that was stamped after the end begins the session again', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { pid: 1 }).after(40);
    const stamp = (ago: number, seq: string) => ({
      ts: new Date(bench.clock.wall() - ago * 1000).toISOString(),
      seq,
    });
    bench.end({ pid: 1, stamp: stamp(30, '8-1') });
    bench.hook('session_start', { pid: 2, ago: 28 });
    expect(bench.state()).toBe('starting');
    bench.hook('user_prompt_submit', { pid: 2, ago: 20 });
    expect(bench.state()).toBe('working');
  });

  it('a tool event of the old run that arrives after the end brings nothing back', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { pid: 1 }).after(40);
    bench.end({ pid: 1, stamp: { ts: new Date(bench.clock.wall() - 30_000).toISOString(), seq: '8-1' } });
    bench.hook('post_tool_use', { pid: 1, ago: 29 });
    expect(bench.state()).toBe('ended');
  });

  it('the record of the process that resumed it shows, though it is older than the news of the end', () => {
    const bench = new Bench();
    bench.processes.set(1);
    bench.processes.set(2);
    bench.record('idle', { pid: 1 }).after(30);
    bench.processes.kill(1);
    bench.registry.recordGone('s1', 1, 'removed');
    bench.record('working', { pid: 2, statusAt: bench.clock.wall() - 25_000 });
    expect(bench.state()).toBe('working');
  });

  it('the record of the very process that ended it does not, as long as it stands', () => {
    const bench = new Bench();
    bench.processes.set(1);
    bench.record('idle', { pid: 1 }).after(5).end({ pid: 1 });
    bench.record('idle', { pid: 1, statusAt: bench.clock.wall() - 5_000 });
    expect(bench.state()).toBe('ended');
  });
});

describe('a launcher and the agent it started are one process', () => {
  it('the record of the agent brings nothing back that its launcher ended', () => {
    const bench = new Bench();
    bench.processes.set(100);
    bench.processes.set(101, { parent: 100 });
    bench.stream('idle', { pid: 100 }).after(1).end({ pid: 100 });
    bench.record('idle', { pid: 101, statusAt: bench.clock.wall() - 500 });
    expect(bench.state()).toBe('ended');
  });
});

describe('an ended session', () => {
  it('lingers no longer when a stream says again that it ended', () => {
    const bench = new Bench();
    bench.stream('working').stream('ended').after(8).stream('ended').after(3);
    expect(bench.row()).toBeUndefined();
  });

  it('goes on without what was inferred before its end: background work, an outcome, the wait of a subagent', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit');
    bench.hook('stop', { background: { subagents: 0, shells: 2 }, outcome: 'failed' });
    bench.hook({ notification: 'permission_prompt' }, { agent_id: 'a' });
    bench.end().after(1).stream('idle');
    expect(bench.row()).not.toHaveProperty('background');
    expect(bench.row()).not.toHaveProperty('outcome');
    bench.registry.detachFeed('s1', 'claude_stream');
    expect(bench.row()).toMatchObject({ state: 'idle', stale: true });
  });

  it('that goes on in the middle of a turn keeps its model and is kept by its living process', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit', { pid: 1, model: 'm' }).after(1);
    bench.end().after(1).hook('pre_tool_use', { pid: 1 });
    expect(bench.row()).toMatchObject({ state: 'working', model: 'm' });
    for (let poll = 0; poll < 40; poll += 1) {
      bench.after(10);
      bench.registry.pidTick(new Map([[1, 't']]));
    }
    expect(bench.state()).toBe('working');
  });
});

describe('a clock that was set back', () => {
  it('loses no event whose journal is read before its request', () => {
    const bench = new Bench();
    bench.hook('user_prompt_submit');
    bench.clock.setWall(bench.clock.wall() - 3_600_000);
    const stamp = { ts: new Date(bench.clock.wall()).toISOString(), seq: '9-1' };
    bench.registry.observe({ session_id: 's1', event: 'stop', stamp }, 'journal');
    expect(bench.state(), 'for a journal alone it is an old event').toBe('working');
    bench.registry.observe({ session_id: 's1', event: 'stop', stamp });
    expect(bench.state()).toBe('idle');
  });
});

describe('stamps finer than a millisecond', () => {
  it('keep two events of one millisecond in order', () => {
    const bench = new Bench();
    const at = (micros: string, seq: string) => ({ ts: `2026-10-03T00:00:00.000${micros}Z`, seq });
    bench.observe({ event: 'stop', stamp: at('500', '1') });
    bench.observe({ event: 'user_prompt_submit', stamp: at('400', '2') });
    expect(bench.state()).toBe('idle');
  });
});
