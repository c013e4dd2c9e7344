import { describe, expect, it } from 'vitest';
import { type ClaudeEvidence, claudeSignals } from '../../cli/selftest/claude-signals.ts';
import { ClaudeStream } from '../../cli/selftest/claude-stream.ts';
import { type CodexEvidence, codexSignals } from '../../cli/selftest/codex-signals.ts';
import { HOOKS_OF_A_TURN } from '../../cli/selftest/hook-events.ts';
import { selftestLines } from '../../cli/selftest/report-lines.ts';
import type { Signal } from '../../cli/selftest/signals.ts';
import type { SeenState } from '../../cli/stage/seen-rows.ts';
import { createPaint } from '../../cli/view/paint.ts';
import type { Feed, SessionState } from '../../contract/events.ts';
import { entry } from './support/entries.ts';

const shown = (feed: Feed, states: SessionState[]): SeenState[] =>
  states.map((state) => ({ state, feed, entry: entry('a', { state, feed }) }));
const notes = (signals: Signal[]) => signals.flatMap(({ result, note }) => (result === 'ok' ? [] : [note]));
const STATES: SessionState[] = ['idle', 'working', 'waiting_for_permission', 'idle', 'ended'];

describe('the signals of a turn of Claude', () => {
  const evidence: ClaudeEvidence = {
    stream: {
      sessionId: 'a',
      greeting: { pid: true, state: true },
      hasInit: true,
      hasResult: true,
      states: ['running', 'requires_action', 'running', 'idle'],
      asks: [{ requestId: 'r', input: {}, toolUseId: undefined }],
      unknownWords: new Set(),
    },
    records: {
      found: true,
      foundOther: false,
      hasStatus: true,
      states: new Set(STATES),
      unknownWords: new Set(),
      isSameProcess: true,
      isEmpty: true,
    },
    hooks: new Set(HOOKS_OF_A_TURN),
    shown: shown('claude_stream', STATES),
    transcript: { prompts: 1, hasFolder: true },
  };
  const with_ = (over: Partial<ClaudeEvidence>) => notes(claudeSignals({ ...evidence, ...over }));
  const stream = (over: Partial<ClaudeEvidence['stream']>) =>
    with_({ stream: { ...evidence.stream, ...over } });
  const records = (over: Partial<ClaudeEvidence['records']>) =>
    with_({ records: { ...evidence.records, ...over } });

  it('are all there in a turn as recorded', () => expect(with_({})).toEqual([]));

  it('are named one by one when they are missing', () => {
    expect(stream({ greeting: { pid: false, state: true } })).toEqual([
      'no answer to initialize had a pid and a session_state',
    ]);
    expect(stream({ sessionId: undefined })).toEqual(['no line had a session_id']);
    expect(stream({ states: ['running'] })).toEqual([
      'no session_state_changed line said requires_action',
      'no session_state_changed line said idle',
    ]);
    expect(stream({ asks: [] })).toEqual(['no can_use_tool request came']);
    expect(stream({ hasResult: false })).toEqual(['no result line came']);
    expect(with_({ shown: shown('claude_record', STATES) })).toHaveLength(4);
    expect(with_({ hooks: new Set(HOOKS_OF_A_TURN.filter((name) => name !== 'Stop')) })).toEqual([
      'no Stop hook came',
    ]);
    expect(records({ found: false })).toEqual(['no sessions/<pid>.json was written']);
    expect(records({ found: false, foundOther: true })).toEqual([
      'sessions/<pid>.json has another shape than the one known here',
    ]);
    expect(records({ isSameProcess: false })).toEqual([
      'the session record names another process start than its process has',
    ]);
    expect(records({ unknownWords: new Set(['brooding']) })).toEqual(['not known here: brooding']);
    expect(with_({ transcript: { prompts: 0, hasFolder: false } })).toEqual([
      'no line of the transcript names its folder',
      'the prompt is not found in the transcript',
    ]);
  });

  it('are read from lines of any shape without harm, and words that nobody knows are kept', () => {
    const read = new ClaudeStream();
    for (const line of ['', 'null', '[]', '"x"', '{"type":"system","subtype":"dreaming"}', '{"type":"odd"}'])
      read.take(line);
    read.take('{"type":"control_request","request_id":"1","request":{"subtype":"ask_the_cat"}}');
    read.take('{"type":"control_response"}');
    expect([...read.unknownWords]).toEqual(['system/dreaming', 'odd', 'control_request/ask_the_cat']);
    expect(read).toMatchObject({ sessionId: undefined, greeting: { pid: false, state: false }, asks: [] });
  });
});

describe('the signals of a turn of Codex', () => {
  const evidence: CodexEvidence = {
    server: {
      listens: true,
      version: '0.171.0',
      lists: true,
      reads: true,
      pushed: new Set(['active', 'waitingOnApproval', 'idle']),
      approvals: 1,
    },
    lock: { loaded: 'held', after: 'absent' },
    hooks: new Set(HOOKS_OF_A_TURN),
    knowsTrust: true,
    shown: shown('codex_server', STATES),
    rollout: { hasHead: true, standing: 'done', prompts: 1 },
  };
  const with_ = (over: Partial<CodexEvidence>) => notes(codexSignals({ ...evidence, ...over }));
  const server = (over: Partial<CodexEvidence['server']>) =>
    with_({ server: { ...evidence.server, ...over } });

  it('are all there in a turn as recorded', () => {
    expect(with_({})).toEqual([]);
    expect(with_({ lock: { loaded: 'unknown', after: 'absent' } })).toEqual([]);
  });

  it('are named one by one when they are missing', () => {
    expect(server({ listens: false })).toEqual(['the app-server does not listen where it did']);
    expect(server({ version: undefined })).toEqual(['no answer to initialize had a version']);
    expect(server({ pushed: new Set(['active', 'idle']) })).toEqual([
      'no thread/status/changed said waitingOnApproval',
    ]);
    expect(server({ lists: false, reads: false, approvals: 0 })).toEqual([
      'thread/loaded/list did not name the thread',
      'thread/read gave no thread with a status',
      'no approval was asked for',
    ]);
    expect(with_({ shown: shown('hook', STATES) })).toHaveLength(3);
    expect(with_({ lock: { loaded: 'absent', after: 'free' } })).toHaveLength(2);
    expect(with_({ knowsTrust: false })).toEqual([
      'Codex hashes a hook in another way: its trust is not known here',
    ]);
    expect(with_({ rollout: undefined })).toEqual(['no rollout was written below sessions/']);
    expect(with_({ rollout: { hasHead: false, standing: 'running', prompts: 0 } })).toHaveLength(3);
  });
});

describe('the report of a self-test', () => {
  it('tells what could not be tried, and what is missing of which feed', () => {
    const signals: Signal[] = [
      { feed: 'hooks', name: 'Stop', result: 'missing', note: 'no Stop hook came' },
      { feed: 'record', name: 'words', result: 'new', note: 'not known here: x' },
    ];
    const report = { agent: 'claude', program: '/c\u001b', version: undefined, took_ms: 1, signals } as const;
    const lines = selftestLines({ ...report, ok: false, skipped: ['terminal: no'] }, createPaint(false));
    expect(lines[0]).toBe('claude (version unknown)  /c');
    expect(lines).toContain('not tried: terminal: no');
    expect(lines.at(-1)).toContain('1 signal(s) did not come (hooks)');
  });
});
