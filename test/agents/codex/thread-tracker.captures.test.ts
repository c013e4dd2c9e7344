import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLoadedPage, readThread, readThreadPush } from '../../../agents/codex/protocol.ts';
import { type SessionChange, ThreadTracker } from '../../../agents/codex/thread-tracker.ts';

interface WireLine {
  t: number;
  dir: 'in' | 'out';
  msg: { id?: number; method?: string; params?: unknown; result?: Record<string, unknown>; error?: unknown };
}

interface Expectation {
  sessions: { id: string; cwd: string; model: string; path: string }[];
  folded: { id: string; sessionId: string }[];
  ignored: { id: string }[];
  states: { t: number; session: string; state: string }[];
  polled: { t: number; session: string; state: string }[];
  closedAt: number | null;
}

const dir = path.join(import.meta.dirname, '../../fixtures/codex/app-server');
const scenarios = readdirSync(dir).filter((name) => name.endsWith('.jsonl'));

function readWire(name: string): WireLine[] {
  return readFileSync(path.join(dir, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WireLine);
}

interface Replayed {
  states: { t: number; session: string; state: string }[];
  tracker: ThreadTracker;
  readings: Map<string, Extract<SessionChange, { kind: 'state' }>['reading']>;
}

/** Replays one captured connection. Without pushes it is an older server, which is only read. */
function replay(lines: WireLine[], withPushes: boolean): Replayed {
  const tracker = new ThreadTracker();
  const asked = new Map<number, { method: string; mark: number }>();
  const states: Replayed['states'] = [];
  const readings: Replayed['readings'] = new Map();
  const shown = new Map<string, string>();

  const take = (t: number, changes: SessionChange[]) => {
    for (const change of changes) {
      const session = change.kind === 'state' ? change.reading.sessionId : change.sessionId;
      const state = change.kind === 'state' ? change.reading.state : 'ended';
      if (change.kind === 'state') readings.set(session, change.reading);
      if (shown.get(session) === state) continue;
      shown.set(session, state);
      states.push({ t, session, state });
    }
  };

  for (const { t, dir: direction, msg } of lines) {
    if (direction === 'out') {
      if (msg.id !== undefined && msg.method !== undefined)
        asked.set(msg.id, { method: msg.method, mark: tracker.mark() });
    } else if (msg.method !== undefined) {
      const push = withPushes && msg.id === undefined ? readThreadPush(msg.method, msg.params) : undefined;
      if (push !== undefined) take(t, tracker.push(push));
    } else {
      const request = msg.id === undefined ? undefined : asked.get(msg.id);
      if (request?.method === 'thread/read' && msg.result) {
        const thread = readThread(msg.result.thread);
        if (thread !== undefined) take(t, tracker.read(request.mark, thread));
      }
      if (request?.method === 'thread/loaded/list' && msg.result) {
        take(t, tracker.loaded(request.mark, readLoadedPage(msg.result)?.ids ?? []));
      }
    }
  }
  return { states, tracker, readings };
}

describe.each(scenarios)('the captured connection %s', (name) => {
  const lines = readWire(name);
  const expected = JSON.parse(
    readFileSync(path.join(dir, name.replace('.jsonl', '.expect.json')), 'utf8'),
  ) as Expectation;
  // A closed connection is the observer's business, not the tracker's.
  const untilClosed = (states: Expectation['states']) =>
    states.filter(({ t }) => expected.closedAt === null || t < expected.closedAt);

  it('gives the states a perfect observer reports, from pushes and reads', () => {
    const { states } = replay(lines, true);
    const wanted = untilClosed(expected.states);
    expect(states.map(({ session, state }) => ({ session, state }))).toEqual(
      wanted.map(({ session, state }) => ({ session, state })),
    );
    // A thread that was there before may show only when the read that identifies it answers: the next round.
    const firsts = new Set<string>();
    for (const [index, { t, session }] of states.entries()) {
      const pushedAt = wanted[index]?.t ?? Number.NaN;
      const slack = firsts.has(session) ? 0 : 1_000;
      firsts.add(session);
      expect(t).toBeGreaterThanOrEqual(pushedAt);
      expect(t).toBeLessThanOrEqual(pushedAt + slack);
    }
  });

  it('gives what reads alone can show, without pushes', () => {
    const { states } = replay(lines, false);
    expect(states).toEqual(untilClosed(expected.polled));
  });

  it('tells sessions, subagents and side threads apart', () => {
    const { tracker, readings } = replay(lines, true);
    for (const session of expected.sessions) {
      expect(readings.get(session.id)).toMatchObject({
        cwd: session.cwd,
        model: session.model,
        transcriptPath: session.path,
      });
    }
    const children = expected.folded.map(({ id }) => id).filter((id) => tracker.ids().includes(id));
    expect(tracker.children()).toEqual(children);
    expect([...readings.keys()].sort()).toEqual(expected.sessions.map(({ id }) => id).sort());
  });
});
