import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWaiting, SESSION_STATES, type SessionState } from '../../../contract/events.ts';
import { Bench } from './bench.ts';

describe('which feed decides', () => {
  it('an exact feed stands above the record, the record above hooks', () => {
    const bench = new Bench();
    bench.hook('stop', { pid: 100 });
    expect(bench.row()).toMatchObject({ state: 'idle', feed: 'hook' });
    bench.record('working');
    expect(bench.row()).toMatchObject({ state: 'working', feed: 'claude_record' });
    bench.stream('waiting_for_permission');
    expect(bench.row()).toMatchObject({ state: 'waiting_for_permission', feed: 'claude_stream' });
  });

  it('the record shows again the moment the exact feed is gone', () => {
    const bench = new Bench();
    bench.stream('working').record('waiting_for_input').after(76);
    expect(bench.row()).toMatchObject({ state: 'waiting_for_input', feed: 'claude_record' });
  });

  it('with nothing below, a silent exact feed leaves its state, marked stale', () => {
    const bench = new Bench();
    bench.stream('working').after(76);
    expect(bench.row()).toMatchObject({ state: 'working', stale: true });
    bench.stream('working');
    expect(bench.row()).not.toHaveProperty('stale');
  });

  it('a resting stream holds without a word; a feed that re-asserts everything does not', () => {
    const bench = new Bench();
    bench.stream('idle').hook('stop', { pid: 100 }).after(200);
    expect(bench.row()).toMatchObject({ feed: 'claude_stream' });
    bench.observe({ session_id: 'p', event: { stream_state: 'idle' }, agent: 'pi', feed: 'pi_extension' });
    bench.after(76);
    expect(bench.row('p')).toMatchObject({ state: 'idle', stale: true });
  });

  it('a lost connection detaches at once', () => {
    const bench = new Bench();
    bench.observe({
      session_id: 'c',
      event: { stream_state: 'working' },
      agent: 'codex',
      feed: 'codex_server',
    });
    bench.registry.detachFeed('c', 'codex_server');
    expect(bench.row('c')).toMatchObject({ state: 'working', stale: true });
  });

  it('time alone wakes subscribers when a feed detaches', () => {
    const bench = new Bench();
    bench.stream('working').hook('stop', { pid: 100 });
    const wait = bench.registry.settle();
    const before = bench.bumps;
    expect(wait).toBeGreaterThan(70_000);
    bench.after((wait ?? 0) / 1000);
    bench.registry.settle();
    expect(bench.bumps).toBe(before + 1);
    expect(bench.state()).toBe('idle');
  });

  it('a record that cannot be read as a state leaves the one before', () => {
    const bench = new Bench();
    bench.record('working').after(1).record(undefined, { statusAt: bench.clock.wall() });
    expect(bench.state()).toBe('working');
  });

  it('says which layer decides and why', () => {
    const bench = new Bench();
    bench.hook('pre_tool_use', { pid: 100 }).record('working').stream('waiting_for_permission');
    const why = bench.registry.why('s');
    expect(why).toMatchObject({ state: 'waiting_for_permission', decided_by: 'claude_stream', pid: 100 });
    expect('readings' in why && why.readings.map((reading) => reading.feed)).toEqual([
      'claude_stream',
      'claude_record',
      'hook',
    ]);
    expect('readings' in why && why.readings.filter((reading) => reading.decides)).toHaveLength(1);
    expect(bench.registry.why('x')).toEqual({ candidates: [] });
  });
});

describe('a stream that no longer understands its agent', () => {
  it('is not suspected while it was busy just before, or waits', () => {
    const bench = new Bench();
    bench.stream('working').after(1).stream('idle').after(1).hook('user_prompt_submit', { pid: 100 });
    expect(bench.after(10).state()).toBe('idle');
    bench.stream('waiting_for_permission').after(1).hook('user_prompt_submit', { pid: 100 });
    expect(bench.after(10).state()).toBe('waiting_for_permission');
  });

  it('is not suspected for a prompt that it has already dealt with', () => {
    const bench = new Bench();
    bench.stream('idle').after(20).stream('working').after(1).stream('idle').after(3);
    bench.hook('user_prompt_submit', { pid: 100, ago: 4.1 });
    expect(bench.after(10).state()).toBe('idle');
  });

  it('a record whose status stopped moving is suspected in the same way', () => {
    const bench = new Bench();
    bench.record('idle').after(20).hook('user_prompt_submit', { pid: 100 });
    expect(bench.state()).toBe('idle');
    expect(bench.after(6).state()).toBe('working');
    bench.record('waiting_for_permission');
    expect(bench.state()).toBe('waiting_for_permission');
  });
});

describe('one process, one session', () => {
  it('/clear: the id named last wins and the old row ends', () => {
    const bench = new Bench();
    bench.record('idle').after(1).stream('working', { session_id: 's2' });
    expect([bench.state('s1'), bench.state('s2')]).toEqual(['ended', 'working']);
    bench.record('idle', { statusAt: bench.clock.wall() - 500 });
    expect(bench.state('s1'), 'a record read late').toBe('ended');
  });

  it('hooks alone end nobody: any process may have sent them', () => {
    const bench = new Bench();
    bench.hook('stop', { pid: 100 }).hook('session_start', { session_id: 's2', pid: 100 });
    expect(bench.state('s1')).toBe('idle');
  });
});

describe('live records and age', () => {
  it('keep a terminal session that was ever busy, and no other resting one', () => {
    const bench = new Bench();
    bench.record('working', { session_id: 'cli' });
    bench.record('working', { session_id: 'sdk', pid: 101, entrypoint: 'sdk-ts' });
    bench.record('idle', { session_id: 'spare', pid: 102 });
    const at = bench.clock.wall();
    for (let second = 0; second < 400; second += 10) {
      bench.after(10);
      bench.record('idle', { session_id: 'cli', statusAt: at + 1 });
      bench.record('idle', { session_id: 'sdk', pid: 101, entrypoint: 'sdk-ts', statusAt: at + 1 });
      bench.record('idle', { session_id: 'spare', pid: 102, statusAt: at });
    }
    expect(bench.registry.list().map((entry) => entry.session_id)).toEqual(['cli']);
    bench.record('working', { session_id: 'sdk', pid: 101, entrypoint: 'sdk-ts' });
    expect(bench.state('sdk'), 'back when its status moves').toBe('working');
  });

  it('a process that removes its record has ended; a folder that vanished proves nothing', () => {
    const bench = new Bench();
    bench.record('idle').registry.recordGone('s1', 100, 'unreadable');
    expect(bench.state()).toBe('idle');
    bench.record('working').registry.recordGone('s1', 100, 'removed');
    expect(bench.state()).toBe('ended');
  });

  it('an attached stream decides the end itself', () => {
    const bench = new Bench();
    bench.stream('working').record('working').registry.recordGone('s1', 100, 'removed');
    expect(bench.state()).toBe('working');
  });
});

describe('whatever comes in', () => {
  const states = fc.constantFrom(...SESSION_STATES.filter((state) => state !== 'ended'));
  const hooks = fc.constantFrom(
    ...([
      'session_start',
      'user_prompt_submit',
      'pre_tool_use',
      'post_tool_use',
      'stop',
      'transcript_grew',
    ] as const),
  );

  it('an attached exact feed is the state, however hooks and records interleave', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('stream' as const), state: states }),
      fc.record({ kind: fc.constant('record' as const), state: states }),
      fc.record({ kind: fc.constant('hook' as const), event: hooks }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const bench = new Bench();
        let exact: SessionState = 'working';
        bench.stream(exact);
        for (const one of steps) {
          bench.after(0.2);
          if (one.kind === 'hook') bench.hook(one.event, { pid: 100 });
          else if (one.kind === 'record') bench.record(one.state);
          else {
            exact = one.state;
            bench.stream(exact);
          }
          expect(bench.state()).toBe(drifted(bench) ? bench.state() : exact);
        }
      }),
    );
  });

  it('a row waits only when some feed said so', () => {
    fc.assert(
      fc.property(fc.array(hooks, { maxLength: 30 }), (events) => {
        const bench = new Bench();
        for (const event of events) bench.after(1).hook(event, { pid: 100 });
        const state = bench.state();
        expect(state !== undefined && isWaiting(state)).toBe(false);
      }),
    );
  });
});

function drifted(bench: Bench): boolean {
  const why = bench.registry.why('s1');
  return (
    'readings' in why && why.readings.some((reading) => reading.feed === 'claude_stream' && !reading.attached)
  );
}

describe('the name of a repository', () => {
  it('that is found late still reaches the rows of its folder, and replaces none', () => {
    const bench = new Bench();
    bench.hook('stop', { cwd: '/w' }).hook('stop', { session_id: 's2', cwd: '/w', repo: 'own' });
    bench.registry.nameRepository('/w', 'late');
    expect([bench.row('s1')?.repo, bench.row('s2')?.repo]).toEqual(['late', 'own']);
  });
});

describe('what time alone changes', () => {
  it('is told to subscribers although a reader saw it first', () => {
    const bench = new Bench();
    bench.stream('working').hook('stop', { pid: 100 }).after(76);
    expect(bench.state(), 'a list sees it').toBe('idle');
    const before = bench.bumps;
    bench.registry.settle();
    expect(bench.bumps).toBe(before + 1);
    bench.registry.settle();
    expect(bench.bumps).toBe(before + 1);
  });
});
