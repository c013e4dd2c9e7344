import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { until } from '../../support/until.ts';
import { FakePi } from './fake-pi.ts';

let daemon: FakeDaemon;

beforeEach(async () => {
  daemon = await new FakeDaemon(() => ({ ok: true, payload: { ok: true } })).listen();
});

afterEach(() => daemon.close());

interface Payload {
  session_id: string;
  event?: { stream_state: string };
  reason?: string;
  outcome?: string;
  [key: string]: unknown;
}

const payloads = () => daemon.requests.map(({ payload }) => payload as Payload);

/** What was reported so far, in words. */
function told(): string[] {
  return payloads().map(({ event, outcome, reason }) => {
    if (event === undefined) return `end ${reason}`;
    return outcome === undefined ? event.stream_state : `${event.stream_state} ${outcome}`;
  });
}

async function expectTold(...words: string[]): Promise<void> {
  await until(
    () => told().length >= words.length,
    () => `told only ${told()}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(told()).toEqual(words);
}

describe('a session of a pi that settles', () => {
  it('is idle from its start: its chat input is live by then', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start', { reason: 'startup' });
    await expectTold('idle');
  });

  it('works through the turns and tools of a run, and is idle when pi settles', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    pi.session.idle = false;
    for (const event of [
      'before_agent_start',
      'agent_start',
      'turn_start',
      'tool_execution_start',
      'turn_start',
    ])
      await pi.fire(event);
    await pi.fire('agent_end', { messages: [] });
    pi.session.idle = true;
    await pi.fire('agent_settled', { aborted: false });
    await expectTold('idle', 'working', 'idle done');
  });

  it('A17: stays working through a retry, and settles once', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    pi.session.idle = false;
    await pi.fire('agent_start');
    for (let retry = 0; retry < 3; retry += 1) {
      await pi.fire('agent_end', { messages: [{ role: 'assistant', stopReason: 'error' }] });
      await new Promise((resolve) => setTimeout(resolve, 100));
      await pi.fire('agent_start');
    }
    await pi.fire('agent_end', { messages: [{ role: 'assistant', stopReason: 'stop' }] });
    pi.session.idle = true;
    await pi.fire('agent_settled', { aborted: false });
    await expectTold('idle', 'working', 'idle done');
  });

  it('says how its last turn ended', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await pi.fire('agent_start');
    await pi.fire('agent_end', { messages: [{ role: 'assistant', stopReason: 'error' }] });
    await pi.fire('agent_settled', { aborted: false });
    await pi.fire('agent_start');
    await pi.fire('agent_end', { messages: [{ role: 'assistant', stopReason: 'aborted' }] });
    await pi.fire('agent_settled', { aborted: true });
    await expectTold('idle', 'working', 'idle failed', 'working', 'idle interrupted');
  });

  it('waits while a dialog of a tool is open, whatever else goes on, and works on after it', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    pi.session.idle = false;
    await pi.fire('agent_start');
    await pi.fire('ui_prompt_start', { kind: 'select' });
    await pi.fire('tool_execution_start');
    await pi.fire('ui_prompt_start', { kind: 'confirm' });
    await pi.fire('ui_prompt_end', { kind: 'confirm' });
    await pi.fire('turn_start');
    await pi.fire('ui_prompt_end', { kind: 'select' });
    await expectTold('idle', 'working', 'waiting_for_input', 'working');
  });

  it('waits while a dialog of a slash command is open, and is idle after it', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await pi.fire('ui_prompt_start');
    await pi.fire('ui_prompt_end');
    await expectTold('idle', 'waiting_for_input', 'idle');
  });

  it('ends with pi’s reason, and nothing is said of it afterwards', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await pi.fire('session_shutdown', { reason: 'quit' });
    await pi.fire('agent_start');
    await expectTold('idle', 'end quit');
  });

  it('is another session after /new, while the old context is of no use any more', async () => {
    const first = new FakePi(daemon.socket, { id: 'first' });
    await first.fire('session_start');
    await first.fire('agent_start');
    await until(() => told().length === 2);
    await first.fire('agent_end', { messages: [] });
    await first.fire('session_shutdown', { reason: 'new' });
    first.session.stale = true;
    const second = new FakePi(daemon.socket, { id: 'second' });
    await second.fire('session_start', { reason: 'new' });
    // One release delivers the start twice.
    await second.fire('session_start', { reason: 'new' });
    await expectTold('idle', 'working', 'end new', 'idle');
    expect(payloads().map(({ session_id }) => session_id)).toEqual(['first', 'first', 'first', 'second']);
  });
});

describe('a session of a pi without agent_settled', () => {
  it('is idle when pi says so after the end of the run', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    pi.session.idle = false;
    await pi.fire('agent_start');
    await pi.fire('agent_end', { messages: [{ role: 'assistant', stopReason: 'stop' }] });
    await new Promise((resolve) => setTimeout(resolve, 50));
    pi.session.idle = true;
    await expectTold('idle', 'working', 'idle done');
  });

  it('stays working when the next run follows', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await pi.fire('agent_start');
    pi.session.idle = true;
    // No pause between the two: a queued message.
    await Promise.all([pi.fire('agent_end', { messages: [] }), pi.fire('agent_start')]);
    await expectTold('idle', 'working');
  });

  it('stays working through the pause before a retry, although pi calls itself idle', async () => {
    const pi = new FakePi(daemon.socket, {}, { failedTurn: 400 });
    await pi.fire('session_start');
    await pi.fire('agent_start');
    pi.session.idle = true;
    await pi.fire('agent_end', { messages: [{ role: 'assistant', stopReason: 'error' }] });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await pi.fire('agent_start');
    await pi.fire('agent_end', { messages: [{ role: 'assistant', stopReason: 'stop' }] });
    await expectTold('idle', 'working', 'idle done');
  });

  it('is idle after a failed turn that nobody retries', async () => {
    const pi = new FakePi(daemon.socket);
    await pi.fire('session_start');
    await pi.fire('agent_start');
    await pi.fire('agent_end', { messages: [{ role: 'assistant', stopReason: 'error' }] });
    await expectTold('idle', 'working', 'idle failed');
  });
});

describe('a report', () => {
  it('holds ids, paths, model and pid, and nothing else', async () => {
    const pi = new FakePi(daemon.socket, { id: 'my-custom.id_1', file: '/p/file.jsonl' });
    await pi.fire('session_start', { secret: 'text' });
    await pi.fire('session_shutdown', { reason: 'quit', secret: 'text' });
    await until(() => daemon.requests.length === 2);
    const pidNamespace =
      process.platform === 'linux' ? { pid_ns: expect.stringMatching(/^pid:\[\d+\]$/) } : {};
    expect(daemon.requests[0]).toEqual({
      service: 'sessions',
      op: 'observe',
      payload: {
        session_id: 'my-custom.id_1',
        event: { stream_state: 'idle' },
        agent: 'pi',
        feed: 'pi_extension',
        pid: process.pid,
        cwd: '/w/repo',
        transcript_path: '/p/file.jsonl',
        model: 'mock-1',
        ...pidNamespace,
      },
    });
    expect(daemon.requests[1]).toEqual({
      service: 'sessions',
      op: 'end',
      payload: {
        session_id: 'my-custom.id_1',
        reason: 'quit',
        pid: process.pid,
        feed: 'pi_extension',
        ...pidNamespace,
      },
    });
  });

  it('leaves out what pi does not know, and follows a change of model', async () => {
    const pi = new FakePi(daemon.socket, { model: undefined });
    await pi.fire('session_start');
    await until(() => daemon.requests.length === 1);
    expect(payloads()[0]).not.toHaveProperty('model');
    expect(payloads()[0]).not.toHaveProperty('transcript_path');
    pi.session.model = 'mock-2';
    await pi.fire('model_select');
    await until(() => daemon.requests.length === 2);
    expect(payloads()[1]).toMatchObject({ model: 'mock-2', event: { stream_state: 'idle' } });
  });
});

describe('pi itself', () => {
  it('is never answered by a handler: an answer could change a prompt or block a tool', async () => {
    const pi = new FakePi(daemon.socket);
    for (const event of pi.events) expect(await pi.fire(event), event).toEqual([undefined]);
  });

  it('is not stopped by a context of a shape nobody foresaw', async () => {
    const pi = new FakePi(daemon.socket, { stale: true });
    for (const event of pi.events) await expect(pi.fire(event), event).resolves.toBeDefined();
    expect(daemon.requests).toEqual([]);
  });
});
