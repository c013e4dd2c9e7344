import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TransportError } from '../../contract/client.ts';
import type { SessionState } from '../../contract/events.ts';
import type { Reply, Request } from '../../contract/messages.ts';
import { StateReporter } from '../../contract/state-reporter.ts';

/** What the daemon does with the next requests: a reply, or the failure to get one. */
type Answer = Reply | 'DAEMON_UNREACHABLE' | 'DAEMON_TIMEOUT' | 'never';

let sent: string[];
let outcomes: string[];
let answer: Answer;

async function send(_socket: string, request: Request): Promise<Reply> {
  const { session_id, event } = request.payload as {
    session_id: string;
    event?: { stream_state: SessionState };
  };
  sent.push(event === undefined ? `end ${session_id}` : `${session_id} ${event.stream_state}`);
  if (answer === 'never') return new Promise(() => {});
  if (typeof answer === 'string') throw new TransportError(answer, 'no reply');
  return answer;
}

const reporter = () =>
  new StateReporter({
    socket: '/s',
    send,
    onOutcome: (op, outcome) => outcomes.push(`${op} ${outcome}`),
  });

const state = (stream_state: SessionState, session_id = 'a') => ({ session_id, event: { stream_state } });
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  outcomes = [];
  answer = { ok: true };
});

afterEach(() => vi.useRealTimers());

describe('a state reporter', () => {
  it('delivers every state in order while the daemon answers', async () => {
    const subject = reporter();
    subject.observe(state('working'));
    subject.observe(state('idle'));
    subject.observe(state('working'));
    subject.end({ session_id: 'a' });
    await settle();
    expect(sent).toEqual(['a working', 'a idle', 'a working', 'end a']);
  });

  it('keeps only the latest state while nobody answers, and delivers it when somebody does', async () => {
    answer = 'DAEMON_UNREACHABLE';
    const subject = reporter();
    subject.observe(state('working'));
    await settle();
    subject.observe(state('waiting_for_input'));
    subject.observe(state('idle'));
    await settle();
    answer = { ok: true };
    sent = [];
    await settle(10_000);
    expect(sent).toEqual(['a idle']);
  });

  it('tries again after 0.5 s, doubling', async () => {
    answer = 'DAEMON_UNREACHABLE';
    reporter().observe(state('working'));
    await settle(499);
    expect(sent).toHaveLength(1);
    await settle(1);
    expect(sent).toHaveLength(2);
    await settle(999);
    expect(sent).toHaveLength(2);
    await settle(1);
    expect(sent).toHaveLength(3);
  });

  it('a state that its end overtook is not delivered any more, one of another session is', async () => {
    answer = 'DAEMON_TIMEOUT';
    const subject = reporter();
    subject.observe(state('working', 'a'));
    await settle();
    subject.end({ session_id: 'a' });
    subject.observe(state('idle', 'b'));
    await settle();
    answer = { ok: true };
    sent = [];
    await settle(10_000);
    expect(sent).toEqual(['end a', 'b idle']);
  });

  it('drops states of a flood before the end of an id that is no more', async () => {
    let reply: (reply: Reply) => void = () => {};
    const slow = (socket: string, request: Request) =>
      sent.length > 0
        ? send(socket, request)
        : send(socket, request).then(() => new Promise<Reply>((resolve) => (reply = resolve)));
    const subject = new StateReporter({ socket: '/s', send: slow });
    subject.observe(state('working'));
    subject.end({ session_id: 'a' });
    for (let turn = 0; turn < 80; turn += 1) subject.observe(state('idle', `b${turn}`));
    await settle();
    reply({ ok: true });
    await settle(2_000);
    expect(sent).toContain('end a');
    expect(sent.at(-1)).toBe('b79 idle');
  });

  it('thins out a flood: 64 states a second at most, and the latest arrives', async () => {
    const subject = reporter();
    for (let time = 0; time < 3_000; time += 1) {
      subject.observe(state(time % 2 === 0 ? 'working' : 'idle'));
      await settle(1);
    }
    subject.observe(state('waiting_for_input'));
    await settle(1_000);
    expect(sent.length).toBeGreaterThan(64);
    expect(sent.length).toBeLessThanOrEqual(4 * 64);
    expect(sent.at(-1)).toBe('a waiting_for_input');
  });

  it('sends no more than four states a second while nobody listens, however fast they change', async () => {
    answer = 'DAEMON_UNREACHABLE';
    const subject = reporter();
    for (let time = 0; time < 1_000; time += 10) {
      subject.observe(state(time % 20 === 0 ? 'working' : 'idle'));
      await settle(10);
    }
    expect(sent.length).toBeLessThanOrEqual(5);
  });

  it('does not rest when the process ends', async () => {
    const subject = reporter();
    for (let turn = 0; turn < 100; turn += 1) subject.observe(state(turn % 2 === 0 ? 'working' : 'idle'));
    subject.end({ session_id: 'a' });
    await subject.close(1_500);
    expect(sent.at(-1)).toBe('end a');
  });

  it('drops what the daemon refuses, and says so', async () => {
    answer = { ok: false, error: 'no' };
    const subject = reporter();
    subject.observe(state('working'));
    await settle(60_000);
    expect(outcomes).toEqual(['observe daemon_rejected']);
  });
});

describe('closing a state reporter', () => {
  it('waits for what is on its way', async () => {
    const subject = reporter();
    subject.observe(state('idle'));
    subject.end({ session_id: 'a' });
    await subject.close(1_500);
    expect(sent).toEqual(['a idle', 'end a']);
  });

  it('does not wait where nobody listens', async () => {
    answer = 'DAEMON_UNREACHABLE';
    const subject = reporter();
    subject.end({ session_id: 'a' });
    await subject.close(1_500);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is bounded where somebody listens and never answers', async () => {
    answer = 'never';
    const subject = reporter();
    subject.end({ session_id: 'a' });
    let closed = false;
    void subject.close(1_500).then(() => {
      closed = true;
    });
    await settle(1_499);
    expect(closed).toBe(false);
    await settle(1);
    expect(closed).toBe(true);
  });

  it('is the end: later reports go nowhere', async () => {
    const subject = reporter();
    await subject.close(1_500);
    subject.observe(state('working'));
    await settle(60_000);
    expect(sent).toEqual([]);
  });
});
