import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamTracker } from '../../../wrappers/claude/tracker.ts';
import { session, stateOf } from './support/tracked-session.ts';

describe('background work', () => {
  it('is counted by kind, from the list that Claude sends', () => {
    const { state, tasks } = session();
    state('running');
    expect(tasks('local_bash', 'local_agent', 'local_agent', 'something_new')).toMatchObject({
      background: { subagents: 2, shells: 1 },
    });
    expect(tasks()).toMatchObject({ background: { subagents: 0, shells: 0 } });
  });

  it('is told by single lines where there is no list; a foreground task is none until it is sent there', () => {
    const { state, system } = session();
    state('running');
    const started = { task_id: 't', task_type: 'local_bash', is_backgrounded: false };
    expect(system('task_started', started)).toBeUndefined();
    const moved = system('task_updated', { task_id: 't', patch: { is_backgrounded: true } });
    expect(moved).toMatchObject({ background: { subagents: 0, shells: 1 } });
    expect(system('task_notification', { task_id: 't' })).toMatchObject({ background: { shells: 0 } });
  });

  it('a subagent keeps a turn without state lines going', () => {
    const { init, prompt, tasks, out } = session();
    init();
    prompt();
    tasks('local_agent');
    expect(out({ type: 'result', subtype: 'success' })).toBeUndefined();
    tasks();
    init();
    expect(stateOf(out({ type: 'result', subtype: 'success' }))).toBe('idle');
  });

  it('when the subagent ended and Claude did not go on, the next keep-alive says so', () => {
    const { tracker, init, prompt, tasks, out } = session();
    init();
    prompt();
    tasks('local_agent');
    out({ type: 'result', subtype: 'success' });
    expect(tracker.keepAlive()).toMatchObject({ state: 'working' });
    tasks();
    expect(tracker.keepAlive()).toMatchObject({ state: 'idle' });
    expect(tracker.keepAlive()).toBeUndefined();
  });
});

describe('lines that were lost', () => {
  it('make result count as idle until the next state line', () => {
    const { tracker, state, out } = session();
    state('running');
    tracker.dropped('from_claude');
    expect(stateOf(out({ type: 'result', subtype: 'success' }))).toBe('idle');
    expect(stateOf(state('running'))).toBe('working');
    expect(out({ type: 'result', subtype: 'success' })).toBeUndefined();
  });

  it('may have held the answer: running closes every question then', () => {
    const { tracker, state, ask } = session();
    state('running');
    ask('q');
    tracker.dropped('to_claude');
    expect(stateOf(state('running'))).toBe('working');
  });

  it('may have held the question that Claude has just announced', () => {
    const { tracker, state } = session();
    state('running');
    state('requires_action');
    expect(stateOf(tracker.dropped('from_claude'))).toBe('waiting_for_permission');
    expect(stateOf(state('running'))).toBe('working');
  });
});

describe('hostile input', () => {
  const word = fc.constantFrom(
    'type',
    'subtype',
    'session_id',
    'request',
    'response',
    'request_id',
    'tasks',
    'state',
  );
  const value = fc.oneof(
    fc.constantFrom(
      'system',
      'control_request',
      'can_use_tool',
      'result',
      'init',
      'user',
      'idle',
      '__proto__',
    ),
    fc.jsonValue(),
  );

  it('never throws, whatever the lines are', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.dictionary(word, value).map((fields) => JSON.stringify(fields)),
    );
    const way = fc.constantFrom('from_claude' as const, 'to_claude' as const);
    const run = fc.property(fc.array(fc.tuple(way, line)), (lines) => {
      const tracker = new StreamTracker();
      for (const [direction, text] of lines) tracker.line(direction, text);
      tracker.keepAlive();
    });
    fc.assert(run, { numRuns: 300 });
  });

  it('lines of unknown types change no state', () => {
    const run = fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (suffix, fields) => {
      const { tracker, state } = session();
      state('running');
      tracker.line('from_claude', JSON.stringify({ ...fields, type: `x-${suffix}`, model: undefined }));
      expect(tracker.keepAlive()).toMatchObject({ session_id: 's-1', state: 'working' });
    });
    fc.assert(run);
  });
});
