import { describe, expect, it } from 'vitest';
import { formatSnapshot } from '../../cli/view/formats/formats.ts';
import { listLines } from '../../cli/view/list-table.ts';
import { createPaint } from '../../cli/view/paint.ts';
import { toRows } from '../../cli/view/row.ts';
import { lookOf } from '../../cli/view/states.ts';
import { trayItems } from '../../cli/view/tray.ts';
import { renderFrame } from '../../cli/watch/frame.ts';
import { initialModel } from '../../cli/watch/model.ts';
import { SESSION_STATES, type SessionState } from '../../contract/events.ts';
import type { SessionEntry } from '../../contract/messages.ts';
import { summarizeStates, tallyStates } from '../../contract/summary.ts';
import { entry } from './support/entries.ts';

const CHANGES = 10_000;
const SESSIONS = 6;
const NOW = Date.parse('2026-10-03T01:00:00Z');

/** The same walk on every run. */
function* randomNumbers(): Generator<number> {
  for (let state = 42; ; state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) yield state >>> 8;
}

/** Every surface's word for every session, by session name. */
function statesShown(sessions: SessionEntry[]): Record<string, Map<string, string>> {
  const payload = { sessions };
  const model = { ...initialModel(), rows: toRows(payload), loaded: true, connected: true };
  const size = { columns: 120, rows: SESSIONS + 5 };
  const frame = renderFrame(model, { size, now: NOW, home: '', paint: createPaint(false), emptyHint: [] });
  const around = { nowMs: NOW, command: '/omni-dev' };
  const { tooltip } = JSON.parse(formatSnapshot('waybar', payload, around)) as { tooltip: string };
  const trayTexts = trayItems(payload).map(({ text }) => text);
  return {
    list: read(listLines(payload, NOW).slice(1), /^(\S+) .* (name\d+) /),
    table: read(frame, /^ (\S+) .* (name\d+) /),
    tray: read(trayTexts, /(\S) \S+$/, / (name\d+) /),
    waybar: read(tooltip.split('\n'), / (\S) \S+(?: \S+)?$/, / (name\d+) /),
    xbar: read(formatSnapshot('xbar', payload, around).split('\n'), / (\S) \S+ \|/, / (name\d+) /),
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
  it(`A13: agrees on every session's state at every moment of ${CHANGES} changes`, {
    timeout: 120_000,
  }, () => {
    const numbers = randomNumbers();
    const next = (below: number) => (numbers.next().value as number) % below;
    const sessions = Array.from({ length: SESSIONS }, (_, i) =>
      entry(`id${i}`, { repo: `name${i}`, cwd: '/p' }),
    );
    for (let change = 0; change < CHANGES; change++) {
      const at = next(SESSIONS);
      const state = SESSION_STATES[next(SESSION_STATES.length)] as SessionState;
      sessions[at] = entry(`id${at}`, { repo: `name${at}`, cwd: '/p', state });
      const { list, ...glyphs } = statesShown(sessions);
      const looks = sessions.map(({ repo = '', state: shown }) => [repo, lookOf(shown)] as const);
      expect(list).toEqual(new Map(looks.map(([repo, look]) => [repo, look.listWord])));
      const wanted = new Map(looks.map(([repo, look]) => [repo, look.glyph]));
      for (const surface of Object.values(glyphs)) expect(sorted(surface)).toEqual(sorted(wanted));
      expectCounts(sessions);
    }
  });
});

/** The surfaces that count instead of naming. */
function expectCounts(sessions: SessionEntry[]): void {
  const states = sessions.map(({ state }) => state);
  const { working, waiting, idle } = tallyStates(states);
  const summary = `${SESSIONS} session(s): ${working} working, ${waiting} waiting, ${idle} idle`;
  if (summarizeStates(states) !== summary) throw new Error(`summary differs: ${summarizeStates(states)}`);
  const tmux = formatSnapshot('tmux', { sessions }, { nowMs: NOW, command: '/omni-dev' });
  const starship = formatSnapshot('starship', { sessions }, { nowMs: NOW, command: '/omni-dev' });
  for (const [glyph, count] of [
    ['!', waiting],
    ['⚙', working],
  ] as const) {
    for (const text of [tmux, starship]) {
      if (text.includes(glyph) !== count > 0 || !text.includes(count > 0 ? `${glyph}${count}` : '')) {
        throw new Error(`${text} does not count ${glyph}${count}`);
      }
    }
  }
}

function sorted(map: Map<string, string>): [string, string][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
