import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CodexThread, readThread, readThreadPush } from '../../../agents/codex/protocol.ts';
import { type SessionChange, ThreadTracker } from '../../../agents/codex/thread-tracker.ts';

const ACTIVE = { type: 'active', activeFlags: [] };
const IDLE = { type: 'idle' };
const APPROVAL = { type: 'active', activeFlags: ['waitingOnApproval'] };
const QUESTION = { type: 'active', activeFlags: ['waitingOnUserInput'] };

function thread(fields: Record<string, unknown>): CodexThread {
  const read = readThread({ sessionId: fields.id, source: 'vscode', status: IDLE, cwd: '/p', ...fields });
  if (read === undefined) throw new Error('a thread needs an id');
  return read;
}

const child = (id: string, parentThreadId: string, status: unknown = ACTIVE) =>
  thread({
    id,
    sessionId: 'root',
    parentThreadId,
    status,
    source: { subAgent: { thread_spawn: { parent_thread_id: parentThreadId } } },
  });

/** The changes as short words: `root working`, `root idle failed`, `root ended`. */
function words(changes: SessionChange[]): string[] {
  return changes.map((change) =>
    change.kind === 'ended'
      ? `${change.sessionId} ended`
      : [change.reading.sessionId, change.reading.state, change.reading.outcome].filter(Boolean).join(' '),
  );
}

describe('the thread tracker', () => {
  let tracker: ThreadTracker;
  const status = (threadId: string, value: unknown) => {
    const push = readThreadPush('thread/status/changed', { threadId, status: value });
    if (push === undefined) throw new Error('not a push');
    return words(tracker.push(push));
  };
  const started = (one: CodexThread) => words(tracker.push({ kind: 'started', thread: one }));
  const read = (one: CodexThread, mark = tracker.mark()) => words(tracker.read(mark, one));

  beforeEach(() => {
    tracker = new ThreadTracker();
  });

  describe('of one thread', () => {
    beforeEach(() => {
      started(thread({ id: 'root' }));
    });

    it('follows the status table', () => {
      expect(status('root', ACTIVE)).toEqual(['root working']);
      expect(status('root', APPROVAL)).toEqual(['root waiting_for_permission']);
      expect(status('root', ACTIVE)).toEqual(['root working']);
      expect(status('root', QUESTION)).toEqual(['root waiting_for_input']);
      expect(status('root', IDLE)).toEqual(['root idle']);
      expect(status('root', { type: 'notLoaded' })).toEqual(['root ended']);
    });

    it('shows an approval before a question when both are open', () => {
      const both = { type: 'active', activeFlags: ['waitingOnUserInput', 'waitingOnApproval'] };
      expect(status('root', both)).toEqual(['root waiting_for_permission']);
    });

    it('calls a system error idle and failed until the next turn', () => {
      status('root', ACTIVE);
      expect(status('root', { type: 'systemError' })).toEqual(['root idle failed']);
      expect(read(thread({ id: 'root', status: { type: 'systemError' } }))).toEqual([]);
      expect(status('root', ACTIVE)).toEqual(['root working']);
      expect(status('root', IDLE)).toEqual(['root idle']);
    });

    it('takes the outcome of a finished turn once, and only while idle', () => {
      status('root', ACTIVE);
      expect(words(tracker.ended('root', 'done'))).toEqual([]);
      status('root', IDLE);
      expect(words(tracker.ended('root', 'interrupted'))).toEqual(['root idle interrupted']);
      expect(words(tracker.ended('root', 'done'))).toEqual([]);
      expect(words(tracker.ended('other', 'done'))).toEqual([]);
    });

    it('says nothing twice', () => {
      expect(status('root', ACTIVE)).toHaveLength(1);
      expect(status('root', ACTIVE)).toEqual([]);
      expect(read(thread({ id: 'root', status: ACTIVE }))).toEqual([]);
    });

    it('tells a change of the model', () => {
      expect(read(thread({ id: 'root', model: 'gpt-6.2-sol' }))).toEqual(['root idle']);
      expect(tracker.reading('root')?.model).toBe('gpt-6.2-sol');
    });

    it('lets a word it does not know change nothing, and counts it', () => {
      status('root', APPROVAL);
      expect(status('root', { type: 'pondering' })).toEqual([]);
      expect(status('root', 'active')).toEqual([]);
      expect(tracker.reading('root')?.state).toBe('waiting_for_permission');
      expect(tracker.unknownWords).toBe(2);
    });

    it('takes an active thread with an unknown flag for working, and counts the flag', () => {
      expect(status('root', { type: 'active', activeFlags: ['waitingOnMoon'] })).toEqual(['root working']);
      expect(tracker.unknownWords).toBe(1);
    });

    it.each(['thread/closed', 'thread/archived', 'thread/deleted'])('ends on %s, once', (method) => {
      const push = readThreadPush(method, { threadId: 'root' });
      expect(push && words(tracker.push(push))).toEqual(['root ended']);
      expect(push && words(tracker.push(push))).toEqual([]);
    });

    it('lives again when the same id is resumed', () => {
      status('root', { type: 'notLoaded' });
      expect(status('root', IDLE)).toEqual([]);
      expect(tracker.unidentified()).toEqual(['root']);
      expect(read(thread({ id: 'root' }))).toEqual(['root idle']);
    });
  });

  describe('between pushes and answers', () => {
    beforeEach(() => {
      started(thread({ id: 'root', status: ACTIVE }));
    });

    it('keeps a push that overtook an older answer', () => {
      const mark = tracker.mark();
      status('root', IDLE);
      expect(read(thread({ id: 'root', status: ACTIVE }), mark)).toEqual([]);
      expect(tracker.reading('root')?.state).toBe('idle');
    });

    it('takes an answer that was asked for after the last push', () => {
      expect(read(thread({ id: 'root', status: IDLE }))).toEqual(['root idle']);
    });

    it('does not bring a thread back by an answer from before its end', () => {
      const mark = tracker.mark();
      tracker.push({ kind: 'gone', threadId: 'root' });
      expect(read(thread({ id: 'root', status: IDLE }), mark)).toEqual([]);
      expect(words(tracker.loaded(mark, ['root']))).toEqual([]);
      expect(tracker.ids()).toEqual([]);
    });

    it('ends what the loaded list no longer names, but not what started since it was asked for', () => {
      const mark = tracker.mark();
      started(thread({ id: 'young' }));
      expect(words(tracker.loaded(mark, []))).toEqual(['root ended']);
      expect(tracker.ids()).toEqual(['young']);
    });

    it('asks for what it knows by id alone', () => {
      tracker.loaded(tracker.mark(), ['root', 'stranger']);
      status('pushed', ACTIVE);
      expect(tracker.unidentified()).toEqual(['stranger', 'pushed']);
      expect(tracker.busy()).toEqual(['root', 'pushed']);
    });

    it('holds no more threads than the server has', () => {
      for (let index = 0; index < 500; index += 1) status(`ghost-${index}`, ACTIVE);
      tracker.loaded(tracker.mark(), ['root']);
      expect(tracker.ids()).toEqual(['root']);
    });
  });

  describe('of a session with subagents', () => {
    beforeEach(() => {
      started(thread({ id: 'root', status: ACTIVE }));
      status('kid', IDLE);
      read(child('kid', 'root'));
    });

    it('makes the session wait while a subagent waits', () => {
      expect(status('kid', APPROVAL)).toEqual(['root waiting_for_permission']);
      expect(status('kid', ACTIVE)).toEqual(['root working']);
    });

    it('keeps the session working while a subagent runs on after the turn', () => {
      expect(status('root', IDLE)).toEqual([]);
      expect(tracker.reading('root')).toMatchObject({ state: 'working', subagents: 1 });
      expect(status('kid', IDLE)).toEqual(['root idle']);
      expect(tracker.reading('root')?.subagents).toBe(0);
    });

    it('releases the wait of a subagent that is gone', () => {
      status('kid', APPROVAL);
      expect(words(tracker.push({ kind: 'gone', threadId: 'kid' }))).toEqual(['root working']);
    });

    it('folds the subagent of a subagent, whichever ids are known', () => {
      const grandchild = { ...child('grandkid', 'kid'), rootId: 'kid' };
      read(grandchild);
      expect(status('grandkid', QUESTION)).toEqual(['root waiting_for_input']);
    });

    it('never makes a row of a subagent, even without its root', () => {
      tracker.push({ kind: 'gone', threadId: 'root' });
      expect(status('kid', APPROVAL)).toEqual([]);
      expect(tracker.readings()).toEqual([]);
    });

    it('names the threads to unsubscribe from', () => {
      read(thread({ id: 'reviewer', parentThreadId: 'root', source: { subAgent: { other: 'guardian' } } }));
      expect(tracker.children()).toEqual(['kid', 'reviewer']);
    });

    it('survives parents that point at each other', () => {
      read({ ...child('a', 'b'), rootId: 'b' });
      read({ ...child('b', 'a'), rootId: 'a' });
      expect(status('a', APPROVAL)).toEqual([]);
    });
  });

  it.each([
    ['ephemeral', { ephemeral: true, threadSource: 'thread_title' }],
    ['titling', { threadSource: 'thread_title' }],
    ['automatic review', { source: { subAgent: { other: 'guardian' } } }],
    ['automatic review, as the disk spells it', { source: { subagent: { other: 'guardian' } } }],
    ['automatic review by its thread source', { threadSource: 'guardian_review' }],
    ['memory', { source: { subAgent: 'memory_consolidation' } }],
  ])('ignores a thread that is no session: %s', (_, fields) => {
    started(thread({ id: 'root', status: IDLE }));
    expect(started(thread({ id: 'side', sessionId: 'root', status: APPROVAL, ...fields }))).toEqual([]);
    expect(tracker.reading('root')?.state).toBe('idle');
    expect(tracker.readings()).toHaveLength(1);
  });

  it('takes a fork for a session of its own', () => {
    expect(started(thread({ id: 'fork', forkedFromId: 'root' }))).toEqual(['fork idle']);
  });

  it('never throws, and tells only known states, whatever the server sends', () => {
    const text = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string());
    const anyThread = fc.record(
      { id: text, sessionId: text, parentThreadId: text, source: fc.anything(), status: fc.anything() },
      { requiredKeys: [] },
    );
    const message = fc.oneof(
      fc.record({ method: fc.constant('thread/started'), params: fc.record({ thread: anyThread }) }),
      fc.record({
        method: fc.constant('thread/status/changed'),
        params: fc.record({
          threadId: text,
          status: fc.oneof(fc.constantFrom(ACTIVE, IDLE, APPROVAL), fc.anything()),
        }),
      }),
      fc.record({ method: fc.string(), params: fc.anything() }),
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const fresh = new ThreadTracker();
        for (const { method, params } of messages) {
          const push = readThreadPush(method, params);
          if (push === undefined) continue;
          for (const change of fresh.push(push)) {
            if (change.kind === 'ended') continue;
            expect(['working', 'idle', 'waiting_for_input', 'waiting_for_permission']).toContain(
              change.reading.state,
            );
          }
        }
      }),
    );
  });
});
