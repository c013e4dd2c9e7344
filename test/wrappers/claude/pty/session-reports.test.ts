import { beforeEach, describe, expect, it } from 'vitest';
import type { LiveRecord } from '../../../../agents/claude/live-record.ts';
import type { EndPayload, ObservePayload } from '../../../../contract/messages.ts';
import { SessionReports } from '../../../../wrappers/claude/pty/session-reports.ts';

let sent: (ObservePayload | ({ end: true } & EndPayload))[];
let reports: SessionReports;

beforeEach(() => {
  sent = [];
  reports = new SessionReports({
    reporter: {
      observe: (payload) => sent.push(payload),
      end: (payload) => sent.push({ end: true, ...payload }),
    },
    pidNamespace: 'pid:[1]',
  });
});

const record = (more: Partial<LiveRecord> = {}): LiveRecord => ({
  pid: 42,
  sessionId: 'one',
  cwd: '/p',
  startedAt: 1_000,
  spare: false,
  ...more,
});

const states = () => sent.map((report) => ('end' in report ? `end ${report.session_id}` : report.event));

describe('a session on a terminal', () => {
  it('is reported once its record names it and the terminal was told its state', () => {
    reports.setState({ state: 'idle', subagents: 0 }, 5_000);
    expect(sent).toEqual([]);
    reports.setRecord(record());
    expect(sent).toEqual([
      {
        session_id: 'one',
        event: { stream_state: 'idle' },
        agent: 'claude',
        background: { subagents: 0, shells: 0 },
        cwd: '/p',
        pid: 42,
        pid_ns: 'pid:[1]',
        feed: 'terminal_status',
      },
    ]);
  });

  it('is not reported again for nothing new, unless it is time to repeat', () => {
    reports.setState({ state: 'idle', subagents: 0 }, 5_000);
    reports.setRecord(record());
    reports.setRecord(record());
    reports.setState({ state: 'idle', subagents: 0 }, 6_000);
    expect(sent).toHaveLength(1);
    reports.reassert();
    expect(sent).toHaveLength(2);
    reports.setModel('claude-opus-4-1');
    expect(sent.at(-1)).toMatchObject({ model: 'claude-opus-4-1' });
  });

  it('follows the id of its record: the one before has ended', () => {
    reports.setState({ state: 'idle', subagents: 0 }, 5_000);
    reports.setRecord(record());
    reports.setRecord(record({ sessionId: 'two' }));
    reports.end();
    reports.end();
    expect(states()).toEqual([{ stream_state: 'idle' }, 'end one', { stream_state: 'idle' }, 'end two']);
  });

  it('rests while only a background command runs, although the terminal is told of work', () => {
    reports.setState({ state: 'working', subagents: 0 }, 5_000);
    reports.setRecord(record({ status: 'shell', statusUpdatedAt: 9_000 }));
    expect(sent.at(-1)).toMatchObject({
      event: { stream_state: 'idle' },
      background: { subagents: 0, shells: 1 },
    });
    reports.setRecord(record({ status: 'busy', statusUpdatedAt: 10_000 }));
    expect(sent.at(-1)).toMatchObject({ event: { stream_state: 'working' } });
  });

  it('works on although its record is late', () => {
    reports.setRecord(record({ status: 'shell', statusUpdatedAt: 4_000 }));
    reports.setState({ state: 'working', subagents: 0 }, 5_000);
    expect(sent.at(-1)).toMatchObject({ event: { stream_state: 'working' } });
  });

  it('tells the words that were not understood', () => {
    reports.setRecord(record());
    reports.setState({ state: 'idle', subagents: 0 }, 5_000);
    expect(sent.at(-1)).not.toHaveProperty('unknown_words');
    reports.setState({ state: 'idle', subagents: 0 }, 6_000, { 'state=pondering': 1 });
    expect(sent.at(-1)).toMatchObject({ unknown_words: { 'state=pondering': 1 } });
  });

  it('says no more once the program took its word back', () => {
    reports.setRecord(record());
    reports.setState(undefined, 5_000);
    reports.reassert();
    expect(sent).toEqual([]);
  });
});
