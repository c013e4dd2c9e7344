import { describe, expect, it } from 'vitest';
import { WaitGoal } from '../../cli/attention/wait-goal.ts';
import { WAIT_STATES } from '../../cli/attention/wait-states.ts';
import { formatSnapshot } from '../../cli/view/formats/formats.ts';
import { listLines } from '../../cli/view/list-table.ts';
import { createPaint } from '../../cli/view/paint.ts';
import { toRows } from '../../cli/view/row.ts';
import { lookOf } from '../../cli/view/states.ts';
import { trayItems } from '../../cli/view/tray.ts';
import { renderFrame } from '../../cli/watch/frame.ts';
import { initialModel } from '../../cli/watch/model.ts';
import { isWaiting, SESSION_STATES, type SessionState } from '../../contract/events.ts';
import type { SnapshotPayload } from '../../contract/messages.ts';
import { summarizeStates, tallyStates } from '../../contract/summary.ts';
import { WaitingTime } from '../../daemon-lite/history/waiting-time.ts';
import { emptyTally, tallySessions } from '../../editors/vscode/cues/tally.ts';
import { entry } from './support/entries.ts';

const CHANGES = 10_000;
const SESSIONS = 6;
const NOW = Date.parse('2026-10-03T01:00:00Z');
const AROUND = { nowMs: NOW, command: '/omni-dev' };

/** The same walk on every run. */
function* randomNumbers(): Generator<number> {
  for (let state = 42; ; state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) yield state >>> 8;
}

/** What an attacker who may create a directory would call it, behind the part by which the test knows it. */
const HOSTILE_ENDS = [
  '',
  ' ! permission',
  ' ⚙ working | bash=/bin/sh terminal=false',
  '|#[fg=red]#(reboot)%H',
  '\n! permission',
  '\r\u001b[2J\u001b]0;x\u0007',
  '<b>&"\'</b>',
  '$(reboot)`reboot`\\!',
  '\u202e idle ◦',
  ' waiting-perm claude',
  '🧨'.repeat(40),
] as const;

/** Every surface's word for every session, by session name. */
function statesShown(payload: SnapshotPayload): Record<string, Map<string, string>> {
  const rows = toRows(payload);
  const model = { ...initialModel(), rows, loaded: true, connected: true };
  const size = { columns: 120, rows: SESSIONS + 5 };
  const frame = renderFrame(model, { size, now: NOW, home: '', paint: createPaint(false), emptyHint: [] });
  const { tooltip } = JSON.parse(formatSnapshot('waybar', payload, AROUND)) as { tooltip: string };
  const trayTexts = trayItems(payload).map(({ text }) => text);
  return {
    list: read(listLines(payload, NOW).slice(1), /^(\S+) +claude +terminal +(name\d+)/),
    table: read(frame, /^ (\S+) .*? (name\d+)/),
    tray: read(trayTexts, /(\S) \S+$/, /^Claude · (name\d+)/),
    waybar: read(tooltip.split('\n'), / (\S) \S+$/, /^Claude · (name\d+)/),
    xbar: read(formatSnapshot('xbar', payload, AROUND).split('\n'), / (\S) \S+ \|/, /^Claude · (name\d+)/),
  };
}

function read(lines: string[], word: RegExp, name?: RegExp): Map<string, string> {
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, shown, alongside] = word.exec(line) ?? [];
      const who = name === undefined ? alongside : name.exec(line)?.[1];
      return shown === undefined || who === undefined ? [] : [[who, shown]];
    }),
  );
}

describe('every surface', () => {
  it(`A13: agrees on every session's state at every moment of ${CHANGES} changes, whatever folders are called`, {
    timeout: 120_000,
  }, () => {
    const numbers = randomNumbers();
    const next = (below: number) => (numbers.next().value as number) % below;
    const fresh = (at: number) => {
      const repo = `name${at}${HOSTILE_ENDS[next(HOSTILE_ENDS.length)]}`;
      const state = SESSION_STATES[next(SESSION_STATES.length)] as SessionState;
      return entry(`id${at}`, { repo, cwd: `/p/${repo}`, state });
    };
    const sessions = Array.from({ length: SESSIONS }, (_, at) => fresh(at));
    const stats = new WaitingTime(() => '2026-10-03');
    for (let change = 0; change < CHANGES; change++) {
      const at = next(SESSIONS);
      sessions[at] = fresh(at);
      const payload = { sessions };
      const { list, ...glyphs } = statesShown(payload);
      const looks = sessions.map(({ state }, index) => [`name${index}`, lookOf(state)] as const);
      expect(list).toEqual(new Map(looks.map(([name, look]) => [name, look.listWord])));
      const wanted = new Map(looks.map(([name, look]) => [name, look.glyph]));
      for (const surface of Object.values(glyphs)) expect(sorted(surface)).toEqual(sorted(wanted));
      expectCounts(payload);
      expectWaits(payload);
      stats.look(sessions, { wall: NOW + change, awake: change });
      expectWaitingNow(stats, payload);
    }
  });
});

/** The surfaces that count instead of naming, and the JSON that other programs read. */
function expectCounts(payload: SnapshotPayload): void {
  const states = payload.sessions.map(({ state }) => state);
  const read = toRows(JSON.parse(JSON.stringify(payload))).map(({ state }) => state);
  if (read.join() !== states.join()) throw new Error(`the JSON says ${read.join()}`);
  const { working, waiting, idle } = tallyStates(states);
  const summary = `${SESSIONS} session(s): ${working} working, ${waiting} waiting, ${idle} idle`;
  if (summarizeStates(states) !== summary) throw new Error(`summary differs: ${summarizeStates(states)}`);
  // The companion leaves ended sessions out.
  const ended = states.filter((state) => state === 'ended').length;
  expect(tallySessions(payload.sessions, ['/p']).get('/p') ?? emptyTally()).toEqual({
    working,
    waiting,
    idle: idle - ended,
  });
  // tmux begins each count with a style, starship with nothing: a name cannot stand there.
  const tmux = formatSnapshot('tmux', payload, AROUND);
  const starship = formatSnapshot('starship', payload, AROUND);
  for (const [glyph, style, count] of [
    ['!', '#[fg=red,bold]', waiting],
    ['⚙', '#[fg=green]', working],
  ] as const) {
    if (tmux.includes(`${style}${glyph}${count}`) !== count > 0) throw new Error(`${tmux}: ${glyph}${count}`);
    if (starship.includes(`${glyph}${count}`) !== count > 0) throw new Error(`${starship}: ${glyph}${count}`);
  }
}

/** What `sessions wait` would end with at this moment. */
function expectWaits(payload: SnapshotPayload): void {
  const rows = toRows(payload);
  for (const state of WAIT_STATES) {
    const isIn = (shown: string) => (state === 'waiting' ? shown.startsWith('waiting_') : shown === state);
    for (const row of rows) {
      const { is } = new WaitGoal({ id: row.id, state }).take(rows, NOW, false);
      if ((is === 'reached') !== isIn(row.state))
        throw new Error(`wait ${row.id} for ${state}: ${row.state}`);
    }
    const { is } = new WaitGoal({ id: undefined, state }).take(rows, NOW, false);
    if ((is === 'reached') !== rows.some((row) => isIn(row.state))) throw new Error(`wait --any ${state}`);
  }
}

/** Whom `sessions stats` says to be waiting now. */
function expectWaitingNow(stats: WaitingTime, { sessions }: SnapshotPayload): void {
  const listed = stats.today().sessions.flatMap(({ session_id, waiting }) => (waiting ? [session_id] : []));
  const wanted = sessions.flatMap(({ session_id, state }) => (isWaiting(state) ? [session_id] : []));
  if (listed.sort().join() !== wanted.sort().join()) throw new Error(`stats say ${listed.join()}`);
}

function sorted(map: Map<string, string>): [string, string][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
