import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../../contract/events.ts';
import type { SessionEntry } from '../../../contract/messages.ts';
import { MOST_REMEMBERED, WaitingTime } from '../../../daemon-lite/history/waiting-time.ts';

const START = Date.parse('2026-10-03T08:00:00Z');
const dayOf = (wallMs: number) => new Date(wallMs).toISOString().slice(0, 10);

function row(
  id: string,
  state: SessionState,
  sinceS: number,
  over: Partial<SessionEntry> = {},
): SessionEntry {
  return {
    session_id: id,
    agent: 'claude',
    state,
    source: { kind: 'terminal' },
    last_event: 'stop',
    started_at: new Date(START).toISOString(),
    last_seen: new Date(START).toISOString(),
    since: new Date(START + sinceS * 1000).toISOString(),
    repo: 'shop',
    ...over,
  };
}

/** Looks at rows at second `at`; the machine was awake all the time unless said otherwise. */
function look(time: WaitingTime, at: number, rows: SessionEntry[], awakeS = at): void {
  time.look(rows, { wall: START + at * 1000, awake: awakeS * 1000 });
}

const sums = (time: WaitingTime) =>
  time
    .today()
    .sessions.map(({ session_id, waits, waited_s, waiting }) => [session_id, waits, waited_s, waiting]);

describe('how long sessions stood waiting today', () => {
  it('is measured from the rows’ own times, however far looks are apart', () => {
    const time = new WaitingTime(dayOf);
    look(time, 0, [row('a', 'working', 0)]);
    look(time, 60, [row('a', 'waiting_for_permission', 50)]);
    expect(sums(time)).toEqual([['a', 1, 10, true]]);
    look(time, 90, [row('a', 'working', 85)]);
    expect(sums(time)).toEqual([['a', 1, 35, false]]);
  });

  it('counts a new wait between two looks as one more', () => {
    const time = new WaitingTime(dayOf);
    look(time, 0, [row('a', 'waiting_for_input', 0)]);
    look(time, 30, [row('a', 'waiting_for_input', 20)]);
    expect(sums(time)).toEqual([['a', 2, 30, true]]);
  });

  it('does not count the time that the machine slept', () => {
    const time = new WaitingTime(dayOf);
    look(time, 0, [row('a', 'waiting_for_input', 0)]);
    look(time, 7 * 3600, [row('a', 'waiting_for_input', 0)], 60);
    expect(sums(time)).toEqual([['a', 1, 60, true]]);
  });

  it('begins anew with a new day; a wait that goes on counts there too', () => {
    const time = new WaitingTime(dayOf);
    const midnight = 16 * 3600;
    look(time, 0, [row('a', 'working', 0)]);
    look(time, midnight - 60, [row('a', 'waiting_for_input', midnight - 60)]);
    look(time, midnight + 1, [row('a', 'waiting_for_input', midnight - 60)]);
    look(time, midnight + 31, [row('a', 'waiting_for_input', midnight - 60)]);
    expect(time.today()).toMatchObject({ day: '2026-10-04', since: '2026-10-04T00:00:01.000Z' });
    expect(time.today().sessions[0]).toMatchObject({ waits: 1, waiting: true });
    expect(time.today().sessions[0]?.waited_s).toBeGreaterThanOrEqual(30);
  });

  it('is summed up by repository, longest first', () => {
    const time = new WaitingTime(dayOf);
    const rows = (state: SessionState, since: number) => [
      row('a', state, since),
      row('b', state, since, { repo: 'docs' }),
      row('c', state, since),
    ];
    look(time, 0, rows('waiting_for_input', 0));
    look(time, 10, rows('working', 10));
    expect(time.today().repositories).toEqual([
      { repo: 'shop', waits: 2, waited_s: 20 },
      { repo: 'docs', waits: 1, waited_s: 10 },
    ]);
  });

  it('remembers a bounded number, those that waited longest', () => {
    const time = new WaitingTime(dayOf);
    look(time, 0, [row('long', 'waiting_for_input', 0)]);
    look(time, 100, [row('long', 'working', 100)]);
    for (let i = 0; i < MOST_REMEMBERED + 50; i++) {
      look(time, 101 + i, [row(`s${i}`, 'waiting_for_input', 101 + i, { repo: `r${i}` })]);
    }
    const { sessions, repositories } = time.today();
    expect(sessions).toHaveLength(MOST_REMEMBERED);
    expect(repositories).toHaveLength(MOST_REMEMBERED);
    expect(sessions[0]?.session_id).toBe('long');
  });

  it('says nothing of sessions that never waited', () => {
    const time = new WaitingTime(dayOf);
    look(time, 0, [row('a', 'working', 0)]);
    look(time, 10, [row('a', 'idle', 5), row('b', 'ended', 5)]);
    expect(time.today()).toMatchObject({ sessions: [], repositories: [] });
  });
});
