import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CUE_COLORS,
  decodeTally,
  decoration,
  encodeTally,
  mostSevere,
  tooltip,
  tooltipSubject,
} from '../../../editors/vscode/cues/decoration.ts';
import { modelMarker, modelsByWorktree, unionOfModels } from '../../../editors/vscode/cues/models.ts';

const count = fc.nat({ max: 1_000_000 });
const tally = fc.record({ working: count, waiting: count, idle: count });

describe('a tally in a row URI', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(tally, (value) => {
        expect(decodeTally(encodeTally(value))).toEqual(value);
      }),
    );
  });

  it('is refused when it is anything else', () => {
    for (const text of ['', '1-2', '1-2-3\n', '+1-2-3', '1-2-3 ', `${'9'.repeat(40)}-0-0`])
      expect(decodeTally(text), JSON.stringify(text)).toBeUndefined();
  });
});

describe('a decoration', () => {
  it('never has a badge of more than two characters', () => {
    fc.assert(
      fc.property(tally, (value) => {
        expect([...(decoration(value)?.badge ?? '')].length).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('takes the colour of the most severe badge of its row', () => {
    expect(mostSevere([CUE_COLORS.idle, CUE_COLORS.failed, CUE_COLORS.waiting])).toBe('charts.red');
    expect(mostSevere([CUE_COLORS.working, CUE_COLORS.waiting])).toBe('charts.yellow');
    expect(mostSevere([CUE_COLORS.idle, CUE_COLORS.working])).toBe('charts.green');
    expect(mostSevere([CUE_COLORS.idle])).toBe('descriptionForeground');
    expect(mostSevere([])).toBeUndefined();
  });
});

describe('a tooltip', () => {
  const one = { working: 1, waiting: 0, idle: 0 };

  it('speaks of Claude while every session is Claude’s', () => {
    expect(tooltipSubject(['claude', undefined, 'claude'])).toBe('Claude');
    expect(tooltip(one, tooltipSubject(['claude']))).toBe('Claude: 1 working');
  });

  it('speaks of agents as soon as one is another’s', () => {
    expect(tooltipSubject(['claude', 'codex'])).toBe('Agents');
    expect(tooltip(one, tooltipSubject(['pi']))).toBe('Agents: 1 working');
  });
});

describe('a model marker', () => {
  it('has one letter per family in a fixed order, whatever the order of the sessions', () => {
    const sessions = [
      'gpt-5.5',
      'claude-fable-5',
      undefined,
      'claude-OPUS-4-8',
      'claude-haiku-4-5',
      'opus',
    ].map((model) => ({ state: 'working', cwd: '/w', ...(model === undefined ? {} : { model }) }));
    fc.assert(
      fc.property(fc.shuffledSubarray(sessions, { minLength: sessions.length }), (shuffled) => {
        expect(modelMarker(modelsByWorktree(shuffled, ['/w']).get('/w'))).toBe('[hofg*]');
      }),
    );
  });

  it('of a repository joins those of its worktrees', () => {
    const models = modelsByWorktree(
      [
        { state: 'idle', cwd: '/a', model: 'opus' },
        { state: 'idle', cwd: '/b', model: 'haiku' },
        { state: 'idle', cwd: '/c', model: 'fable' },
      ],
      ['/a', '/b', '/c'],
    );
    expect(unionOfModels(models, ['/a', '/b', '/none'])).toEqual(['h', 'o']);
  });
});
