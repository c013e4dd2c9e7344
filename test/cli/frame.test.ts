import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellWidth } from '../../cli/view/cells.ts';
import { createPaint } from '../../cli/view/paint.ts';
import { toRows } from '../../cli/view/row.ts';
import { type FrameSurroundings, renderFrame } from '../../cli/watch/frame.ts';
import { applyKey, initialModel, shownRows, type WatchModel } from '../../cli/watch/model.ts';
import type { SessionEntry } from '../../contract/messages.ts';
import { entry } from './support/entries.ts';

const NOW = Date.parse('2026-10-03T01:00:00Z');

function surroundings(columns: number, rows: number, colours = false): FrameSurroundings {
  return {
    size: { columns, rows },
    now: NOW,
    home: '/home/me',
    paint: createPaint(colours),
    emptyHint: ['Nothing here.', 'Do this.'],
  };
}

function modelOf(sessions: SessionEntry[], over: Partial<WatchModel> = {}): WatchModel {
  return { ...initialModel(), rows: toRows({ sessions }), loaded: true, connected: true, ...over };
}

describe('a frame of the live table', () => {
  it('has a line per session between title and key help, at 80 × 24', () => {
    const model = modelOf([
      entry('a', {
        state: 'waiting_for_permission',
        since: '2026-10-03T00:59:40Z',
        cwd: '/home/me/src/shop',
        repo: 'shop',
      }),
    ]);
    const frame = renderFrame(model, surroundings(80, 24));
    expect(frame).toHaveLength(24);
    expect(frame[0]).toMatch(/^omni-dev {2}1 session\(s\): 0 working, 1 waiting, 0 idle +live$/);
    expect(frame[1]?.trimEnd()).toBe('   STATE             FOR AGENT  SOURCE   NAME             FOLDER');
    expect(frame[2]?.trimEnd()).toBe(' ! permission        20s claude terminal shop             ~/src/shop');
    expect(frame[23]).toBe('q quit   ↑↓ select   / filter');
  });

  it('marks a failed turn, background work and a state that is no longer confirmed', () => {
    const lines = renderFrame(
      modelOf([
        entry('a', { outcome: 'failed' }),
        entry('b', { background: { subagents: 1, shells: 1 } }),
        entry('c', { state: 'working', stale: true }),
      ]),
      surroundings(80, 24),
    ).join('\n');
    expect(lines).toContain('◦ idle (failed)');
    expect(lines).toContain('◦ idle (+2)');
    expect(lines).toContain('⚙ working?');
  });

  it('shows what to do when no session runs, and nothing before the first answer', () => {
    expect(renderFrame(modelOf([]), surroundings(80, 24)).join('\n')).toContain('  Do this.');
    const waiting = renderFrame(modelOf([], { loaded: false, connected: false }), surroundings(80, 24)).join(
      '\n',
    );
    expect(waiting).toContain('connecting…');
    expect(waiting).not.toContain('Do this.');
  });

  it('keeps the selected session on the screen while others come and go', () => {
    const many = Array.from({ length: 100 }, (_, i) => entry(`s${i}`, { cwd: `/p/n${i}` }));
    const model = modelOf(many, { selected: 's60' });
    const marked = renderFrame(model, surroundings(80, 24)).filter((line) => line.startsWith('›'));
    expect(marked).toHaveLength(1);
    expect(marked[0]).toContain('n60');
  });

  it('has exactly the lines of the screen, each narrower than the screen, whatever the names and the size', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom('日', '👩‍👩‍👧', 'é', '\u001b', '\u202e', 'ｗ', 'a', '\n', '👍🏽'),
        maxLength: 40,
      }),
    );
    const session = fc.record({
      session_id: text,
      state: fc.oneof(text, fc.constantFrom('idle', 'working', 'waiting_for_input', 'ended')),
      cwd: text,
      repo: text,
      model: text,
      stale: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(session, { maxLength: 40 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
        text,
        (sessions, columns, rows, filter) => {
          const model = modelOf(sessions as SessionEntry[], { filter: filter.slice(0, 2), selected: 's' });
          const frame = renderFrame(model, surroundings(columns, rows));
          expect(frame).toHaveLength(rows);
          for (const line of frame) {
            expect(cellWidth(line)).toBeLessThanOrEqual(Math.max(1, columns - 1));
            expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
          }
        },
      ),
    );
  });

  it('differs from the colourless frame in colours only', () => {
    const model = modelOf([
      entry('a', { state: 'waiting_for_input', cwd: '/p/x' }),
      entry('b', { state: 'ended' }),
    ]);
    const plain = renderFrame(model, surroundings(80, 24));
    const coloured = renderFrame(model, surroundings(80, 24, true));
    expect(coloured.join('\n')).toMatch(/\u001b\[/);
    expect(coloured.map((line) => line.replace(/\u001b\[\d+m/g, ''))).toEqual(plain);
  });
});

describe('keys of the live table', () => {
  const model = () => modelOf(['a', 'b', 'c'].map((id) => entry(id, { state: 'working', cwd: `/p/${id}` })));

  it('moves the selection and stops at both ends', () => {
    const table = model();
    const moves = ['down', 'j', 'down', 'down', 'k', 'home', 'up', 'G', 'page-up'];
    const places = moves.map((key) => {
      applyKey(table, key, 20);
      return table.selected;
    });
    expect(places).toEqual(['a', 'b', 'c', 'c', 'b', 'a', 'a', 'c', 'a']);
  });

  it('filters by every word typed, and takes the filter back with escape', () => {
    const table = model();
    for (const key of ['/', 'w', 'o', 'r', 'k', ' ', '/', 'p', '/', 'x', 'backspace', 'b', 'enter'])
      applyKey(table, key, 20);
    expect(shownRows(table).map((row) => row.id)).toEqual(['b']);
    applyKey(table, 'escape', 20);
    expect(shownRows(table)).toHaveLength(3);
  });

  it('quits with q outside the filter only, with Ctrl-C always', () => {
    const table = model();
    expect(applyKey(table, 'q', 20)).toBe('quit');
    applyKey(table, '/', 20);
    expect(applyKey(table, 'q', 20)).toBe('none');
    expect(applyKey(table, 'ctrl-c', 20)).toBe('quit');
  });

  it('asks to focus the selected session with enter', () => {
    const table = model();
    expect(applyKey(table, 'enter', 20)).toBe('none');
    applyKey(table, 'down', 20);
    expect(applyKey(table, 'enter', 20)).toEqual({ focus: 'a' });
  });
});
