import { describe, expect, it } from 'vitest';
import { OPEN_ASKS_LIMIT } from '../../../wrappers/claude/open-asks.ts';
import { session, stateOf } from './support/tracked-session.ts';

describe('a process that starts', () => {
  it('is starting until it has answered the initialize request', () => {
    const { into, out, system } = session();
    into({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } });
    expect(stateOf(system('hook_started', { hook_event: 'SessionStart', session_id: 's-1' }))).toBe(
      'starting',
    );
    const answer = { request_id: 'i', response: { pid: 4242 } };
    expect(stateOf(out({ type: 'control_response', response: answer }))).toBe('idle');
  });

  it('names its own pid in that answer', () => {
    const { tracker, into, out } = session();
    into({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } });
    out({ type: 'control_response', response: { request_id: 'other', response: { pid: 1 } } });
    expect(tracker.agentPid).toBeUndefined();
    out({ type: 'control_response', response: { request_id: 'i', response: { pid: 4242 } } });
    expect(tracker.agentPid).toBe(4242);
  });

  it.each([0, -1, 1.5, '7', null])('a pid of %j is none', (pid) => {
    const { tracker, into, out } = session();
    into({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } });
    out({ type: 'control_response', response: { request_id: 'i', response: { pid } } });
    expect(tracker.agentPid).toBeUndefined();
  });

  it('works from its init when nobody writes to it', () => {
    expect(stateOf(session({ oneShot: true }).init())).toBe('working');
  });

  it('is at the prompt after init, unless a prompt is on its way', () => {
    expect(stateOf(session().init())).toBe('idle');
    const prompted = session();
    prompted.prompt();
    expect(stateOf(prompted.init())).toBe('working');
  });
});

describe('a stream with state lines', () => {
  it('follows them alone', () => {
    const { state, prompt, out, init } = session();
    expect(stateOf(state('running'))).toBe('working');
    init();
    expect(out({ type: 'result', subtype: 'success' })).toBeUndefined();
    expect(stateOf(state('idle'))).toBe('idle');
    expect(out({ type: 'assistant' })).toBeUndefined();
    expect(prompt()).toBeUndefined();
    expect(init()).toBeUndefined();
    expect(stateOf(state('running'))).toBe('working');
  });

  it('requires_action alone says nothing, the question itself says which wait', () => {
    const { state, ask } = session();
    state('running');
    expect(state('requires_action')).toBeUndefined();
    expect(stateOf(ask('q', { tool_name: 'AskUserQuestion' }))).toBe('waiting_for_input');
  });

  it('idle closes every question', () => {
    const { state, ask, answer } = session();
    state('running');
    ask('a');
    expect(stateOf(state('idle'))).toBe('idle');
    expect(answer('a')).toBeUndefined();
  });

  it('running closes a question that was settled past the stream, by a hook for example', () => {
    const { state, ask } = session();
    state('running');
    state('requires_action');
    ask('a');
    expect(stateOf(state('running'))).toBe('working');
  });

  it('a word that is not known changes nothing and is counted', () => {
    const { tracker, state } = session();
    state('running');
    expect(state('pondering')).toBeUndefined();
    expect(tracker.counters.unknown_lines).toBe(1);
  });
});

describe('questions', () => {
  it.each([
    ['can_use_tool', 'Bash', 'waiting_for_permission'],
    ['can_use_tool', 'ExitPlanMode', 'waiting_for_permission'],
    ['can_use_tool', 'AskUserQuestion', 'waiting_for_input'],
    ['elicitation', undefined, 'waiting_for_input'],
    ['request_user_dialog', undefined, 'waiting_for_input'],
  ])('%s of %s is %s', (subtype, tool_name, wait) => {
    const { init, ask } = session();
    init();
    expect(stateOf(ask('q', { subtype, tool_name }))).toBe(wait);
  });

  it('permission shows before input, and the wait lasts until the last is answered', () => {
    const { state, ask, answer } = session();
    state('running');
    ask('input', { tool_name: 'AskUserQuestion' });
    expect(stateOf(ask('permission', { agent_id: 'a' }))).toBe('waiting_for_permission');
    expect(stateOf(answer('permission'))).toBe('waiting_for_input');
    expect(stateOf(answer('input'))).toBe('working');
  });

  it('a withdrawn question is over', () => {
    const { state, ask, out } = session();
    state('running');
    ask('q');
    expect(stateOf(out({ type: 'control_cancel_request', request_id: 'q' }))).toBe('working');
  });

  it('a result without state lines leaves what a subagent asks', () => {
    const { init, ask, out, answer } = session();
    init();
    ask('main');
    ask('sub', { agent_id: 'a' });
    expect(out({ type: 'result' })).toBeUndefined();
    expect(stateOf(answer('sub'))).toBe('idle');
  });

  it('without an id, or beyond the cap, are counted and ignored', () => {
    const { tracker, init, out, ask } = session();
    init();
    out({ type: 'control_request', request: { subtype: 'can_use_tool' } });
    for (let i = 0; i <= OPEN_ASKS_LIMIT; i += 1) ask(`q${i}`);
    expect(tracker.counters).toMatchObject({ missing_permission_ids: 1, permission_cap_drops: 1 });
  });
});

describe('the identity', () => {
  it("comes from Claude's lines, not from the host's", () => {
    const { tracker, into, init } = session();
    into({ type: 'user', session_id: 'default', cwd: '/host' });
    expect(tracker.sessionId).toBeUndefined();
    expect(init()).toMatchObject({ session_id: 's-1', cwd: '/w' });
  });

  it("takes a folder that a later turn's init names", () => {
    const { init } = session();
    init();
    expect(init({ cwd: '/w/tree' })).toMatchObject({ cwd: '/w/tree' });
  });

  it('ends with a /clear; the next different id is the session, in the state that holds', () => {
    const { tracker, state, out, system, init } = session();
    state('running');
    expect(out({ type: 'conversation_reset', session_id: 's-1' })).toEqual({ ended: 's-1' });
    expect(tracker.sessionId).toBeUndefined();
    expect(system('background_tasks_changed', { session_id: 's-1', tasks: [] })).toBeUndefined();
    expect(init({ session_id: 's-2' })).toMatchObject({ session_id: 's-2', state: 'working' });
  });

  it.each([
    ['a subagent', { type: 'assistant', model: 'm-2', parent_tool_use_id: 't' }],
    ['no model at all', { type: 'assistant', model: '<synthetic>' }],
  ])('keeps the model that a line of %s names otherwise', (_whose, fields) => {
    const { tracker, init, out } = session();
    init();
    out(fields);
    expect(tracker.model).toBe('m-1');
  });

  it('ends with each of two /clear in a row', () => {
    const { init, state, out } = session();
    init();
    state('running');
    expect(out({ type: 'conversation_reset', session_id: 's-1' })).toEqual({ ended: 's-1' });
    expect(init({ session_id: 's-2' })).toMatchObject({ session_id: 's-2', state: 'working' });
    expect(out({ type: 'conversation_reset', session_id: 's-2' })).toEqual({ ended: 's-2' });
    expect(out({ type: 'conversation_reset', session_id: 's-2' }), 'nothing new began').toBeUndefined();
    expect(init({ session_id: 's-2' }), 'a straggler').toBeUndefined();
    expect(init({ session_id: 's-3' })).toMatchObject({ session_id: 's-3', state: 'working' });
  });

  it('takes the model that Claude says it really uses', () => {
    const { tracker, init, into, out } = session();
    init();
    into({ type: 'control_request', request_id: 'm', request: { subtype: 'set_model', model: 'default' } });
    expect(tracker.model).toBe('m-1');
    out({ type: 'control_response', response: { request_id: 'm', response: { model: 'm-9' } } });
    expect(tracker.model).toBe('m-9');
  });
});

describe('the outcome of a turn', () => {
  it.each([
    ['done', { subtype: 'success', is_error: false, terminal_reason: 'completed' }],
    ['failed', { subtype: 'success', is_error: true, terminal_reason: 'api_error' }],
    ['failed', { subtype: 'error_max_turns', is_error: true }],
    [
      'interrupted',
      { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' },
    ],
  ])('%s', (outcome, fields) => {
    const { state, out } = session();
    state('running');
    out({ type: 'result', ...fields });
    expect(state('idle')).toMatchObject({ state: 'idle', outcome });
  });

  it('is gone when the next turn begins', () => {
    const { state, out } = session();
    state('running');
    out({ type: 'result', subtype: 'success' });
    state('idle');
    expect(state('running')).not.toHaveProperty('outcome');
    expect(state('idle')).not.toHaveProperty('outcome');
  });
});
