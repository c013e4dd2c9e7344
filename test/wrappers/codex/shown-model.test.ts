import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionReading } from '../../../agents/codex/thread-tracker.ts';
import { ShownModel } from '../../../wrappers/codex/shown-model.ts';
import { titlePrefix } from '../../../wrappers/codex/title-prefix.ts';

let shown: ShownModel;
let told: string[];
beforeEach(() => {
  shown = new ShownModel();
  told = [];
});

const reading = (sessionId: string, state: SessionReading['state'], model?: string): SessionReading => ({
  sessionId,
  state,
  model,
  outcome: undefined,
  cwd: undefined,
  transcriptPath: undefined,
  subagents: 0,
});

describe('the model that the interface shows', () => {
  it('is told when it is known, and again only when it is another', () => {
    shown.take(reading('a', 'idle'));
    shown.take(reading('a', 'idle', 'gpt-6-sol'));
    shown.tell((model) => told.push(model));
    shown.take(reading('a', 'working', 'gpt-6-sol'));
    shown.take(reading('a', 'working', 'gpt-6-luna'));
    expect(told).toEqual(['gpt-6-sol', 'gpt-6-luna']);
  });

  it('is that of the session which came last or was given work last, whatever the others repeat', () => {
    shown.tell((model) => told.push(model));
    shown.take(reading('a', 'working', 'gpt-6-sol'));
    shown.take(reading('b', 'idle', 'gpt-6-luna'));
    shown.take(reading('a', 'working', 'gpt-6-sol'));
    shown.take(reading('a', 'idle', 'gpt-6-sol'));
    expect(told).toEqual(['gpt-6-sol', 'gpt-6-luna']);
    shown.take(reading('a', 'working', 'gpt-6-sol'));
    expect(told.at(-1)).toBe('gpt-6-sol');
  });
});

it.each([
  ['gpt-6.2-sol', '🟡 Sol · '],
  ['GPT-5.6-Luna', '🔵 Luna · '],
  ['gpt-6.1-terra', '🟤 Terra · '],
  ['openai/gpt-6-astra', '🟣 Astra · '],
  ['gpt-5.5', '⚪ Codex · '],
  ['solaris', '⚪ Codex · '],
])('%s is named %s', (model, prefix) => {
  expect(titlePrefix(model)).toBe(prefix);
});
