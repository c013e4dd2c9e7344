import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../catalog/session.ts';
import { listRows, renderPick } from '../../cli/commands/catalog/pick-frame.ts';
import {
  addEntry,
  addSimilar,
  applyPickKey,
  initialPickModel,
  type PickModel,
  searchModel,
  selectedSession,
  toEntry,
} from '../../cli/commands/catalog/pick-model.ts';
import { cellWidth } from '../../cli/view/cells.ts';
import { createPaint } from '../../cli/view/paint.ts';
import { NOON } from './support/homes.ts';

const session = (title: string, minutesAgo: number, more: Partial<Session> = {}): Session => ({
  harness: 'codex',
  id: title,
  title,
  titleSource: 'first-prompt',
  cwd: '/src/shop',
  lastActivityAt: new Date(NOON - minutesAgo * 60_000).toISOString(),
  recentPrompts: [title],
  state: 'resumable',
  transcript: `/x/${title}`,
  ...more,
});

function model(...sessions: Session[]): PickModel {
  const made = initialPickModel('', 0);
  for (const one of sessions) addEntry(made, toEntry(one));
  return made;
}

function type(made: PickModel, ...keys: string[]): string {
  let action = '';
  for (const key of keys) {
    action = applyPickKey(made, key, 5);
    if (action === 'search') searchModel(made);
  }
  return action;
}

const titles = (made: PickModel) => made.matches.map((entry) => entry.session.title);

describe('the picker', () => {
  it('shows the newest first, whatever order they come in', () => {
    expect(titles(model(session('b', 2), session('a', 1), session('c', 3)))).toEqual(['a', 'b', 'c']);
  });

  it('filters as the person types and takes back', () => {
    const made = model(session('fix login', 1), session('fix till', 2), session('paint', 3));
    type(made, 'f', 'i', 'x', ' ', 't');
    expect(titles(made)).toEqual(['fix till']);
    type(made, 'backspace', 'backspace');
    expect(titles(made)).toEqual(['fix login', 'fix till']);
  });

  it('takes back a whole character, not a part of it', () => {
    const made = model();
    type(made, '👩', '\u200d', '👧', 'backspace');
    expect(made.query).toBe('');
  });

  it('moves the selection within the list', () => {
    const made = model(session('a', 1), session('b', 2), session('c', 3));
    type(made, 'up');
    expect(selectedSession(made)?.title).toBe('a');
    type(made, 'down', 'down', 'down', 'down');
    expect(selectedSession(made)?.title).toBe('c');
    type(made, 'home');
    expect(selectedSession(made)?.title).toBe('a');
    type(made, 'end');
    expect(selectedSession(made)?.title).toBe('c');
  });

  it('keeps the selected session selected while newer ones arrive', () => {
    const made = model(session('b', 2), session('c', 3));
    type(made, 'down');
    addEntry(made, toEntry(session('a', 1)));
    expect(selectedSession(made)?.title).toBe('c');
  });

  it('adds what arrives only where it fits the query', () => {
    const made = model(session('fix', 1));
    type(made, 'f');
    addEntry(made, toEntry(session('paint', 2)));
    expect(titles(made)).toEqual(['fix']);
    expect(made.entries).toHaveLength(2);
  });

  it('says when it forgives a typing error', () => {
    const made = model(session('catalog', 1));
    type(made, 'c', 'a', 't', 'l', 'o', 'g');
    expect(titles(made)).toEqual([]);
    addSimilar(made, made.entries);
    expect(renderPick(made, around(80, 24))[0]).toContain('similar: 1 of 1');
    type(made, 'backspace');
    expect(made.similar).toBe(false);
  });

  it.each([
    ['enter', 'choose'],
    ['escape', 'quit'],
    ['ctrl-c', 'quit'],
    ['ctrl-z', 'suspend'],
    ['x', 'search'],
    ['f13', 'none'],
  ])('answers %s with %s', (key, action) => {
    expect(type(model(session('a', 1)), key)).toBe(action);
  });

  it('chooses nothing where nothing fits', () => {
    expect(type(model(), 'enter')).toBe('none');
  });
});

const around = (columns: number, rows: number) => ({ columns, rows, paint: createPaint(false), now: NOON });

describe('the screen of the picker', () => {
  it('previews the selected session', () => {
    const made = model(
      session('fix till', 1, { recentPrompts: ['first', 'second'], repository: 'github.com/acme/shop' }),
    );
    made.evidence = {
      lowerBound: true,
      complete: true,
      repositories: [],
      files: [],
      commits: [],
      workRefs: [],
    };
    const screen = renderPick(made, around(80, 24)).join('\n');
    for (const part of [
      'codex:fix till',
      '> first',
      '> second',
      'github.com/acme/shop',
      'at least 0 files written',
    ]) {
      expect(screen).toContain(part);
    }
  });

  it('tells of a session that nobody typed in only the times that are known', () => {
    const screen = renderPick(model(session('a', 1)), around(80, 24)).join('\n');
    expect(screen).toMatch(/^active \S+ ago$/m);
  });

  it('leaves the preview out where there is no room', () => {
    expect(renderPick(model(session('a', 1)), around(80, 8)).join('\n')).not.toContain('─');
  });

  it('fits every screen and holds nothing that drives a terminal, whatever the texts are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text, text), { maxLength: 12 }),
        fc.integer({ min: 20, max: 140 }),
        fc.integer({ min: 3, max: 50 }),
        fc.nat({ max: 12 }),
        (texts, columns, rows, down) => {
          const made = model(
            ...texts.map(([title, cwd, prompt], index) =>
              session(title, index, { cwd, recentPrompts: [prompt], id: prompt }),
            ),
          );
          made.selected = Math.min(down, Math.max(0, texts.length - 1));
          const lines = renderPick(made, around(columns, rows));
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) {
            expect(cellWidth(line), 'the last column stays free').toBeLessThan(columns);
            expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
          }
          expect(made.selected - made.top).toBeLessThan(listRows(rows));
        },
      ),
      { numRuns: 200 },
    );
  });
});
