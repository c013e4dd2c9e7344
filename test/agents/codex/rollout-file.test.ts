import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRollout } from '../../../agents/codex/rollout-file.ts';
import { rolloutPromptOf } from '../../../agents/codex/rollout-prompt.ts';

const CAPTURES = path.join(import.meta.dirname, '../../fixtures/codex/rollouts');
const LIMITS = { headBytes: 262_144, tailBytes: 1_048_576, titleBytes: 0, prompts: 100 };

const read = (name: string) => {
  const file = path.join(CAPTURES, `${name}.jsonl`);
  return readRollout(file, statSync(file).size, LIMITS);
};

/** What was typed in each capture; the two without a source are threads no person leads. */
const TYPED: Record<string, string[]> = {
  'exec-simple': ['say hello'],
  'exec-tool': ['run a tool'],
  'nodaemon-approve': ['ask for approval'],
  'tui-approve': ['ask for approval'],
  'tui-auto-review.1': ['ask for approval'],
  'tui-compact': ['say hello'],
  'tui-deny-esc': ['ask for approval'],
  'tui-error': ['fail now'],
  'tui-fork.1': ['say hello'],
  'tui-fork.2': ['run a tool'],
  'tui-interrupt-esc': ['stay silent'],
  'tui-question': ['ask me a question'],
  'tui-resume': ['say hello', 'run a tool'],
  'tui-subagent.1': ['spawn a helper'],
};
const NOT_A_PERSONS = ['tui-auto-review.2', 'tui-subagent.2'];

describe('a rollout written by the real agent', () => {
  it('has an expectation for every capture', () => {
    const names = readdirSync(CAPTURES).map((name) => path.basename(name, '.jsonl'));
    expect(names.sort()).toEqual([...Object.keys(TYPED), ...NOT_A_PERSONS].sort());
  });

  it.each(Object.entries(TYPED))('%s', (name, prompts) => {
    const { meta, ...summary } = read(name);
    expect(meta?.cwd).toBe('/home/dev/project');
    expect(meta?.source).toMatch(/^(cli|exec|vscode)$/);
    expect(summary.prompts.map(({ text }) => text)).toEqual(prompts);
    expect(summary.firstPrompt).toBe(prompts[0]);
    expect(summary.lastActivityAt).toBeGreaterThan(summary.prompts.at(-1)?.at ?? Number.POSITIVE_INFINITY);
  });

  it.each(NOT_A_PERSONS)('%s is led by no person', (name) => {
    expect(read(name).meta?.source).toBeUndefined();
  });

  it('a fork names its parent and holds only its own prompts', () => {
    const parent = read('tui-fork.1').meta?.threadId;
    const fork = read('tui-fork.2');
    expect(fork.meta?.forkedFrom).toBe(parent);
    expect(fork.prompts).toHaveLength(1);
  });
});

describe('a prompt in a rollout', () => {
  const message = (text: string, more: object = {}) => ({
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }], ...more },
  });

  it.each([
    ['of older versions', { type: 'event_msg', payload: { type: 'user_message', message: 'Fix it.' } }],
    ['of the oldest versions', message('Fix it.')],
    [
      'labelled as typed',
      message('Fix it.', {
        internal_chat_message_metadata_passthrough: { content_item_kinds: ['user.text'] },
      }),
    ],
  ])('%s', (_what, record) => {
    expect(rolloutPromptOf(record)?.text).toBe('Fix it.');
  });

  it.each([
    ['the environment', message('<environment_context>\n<cwd>/src</cwd>')],
    ['instructions of a folder', message('# AGENTS.md instructions for /src')],
    [
      'what is labelled otherwise',
      message('Fix it.', {
        internal_chat_message_metadata_passthrough: {
          content_item_kinds: ['environments.environment_context'],
        },
      }),
    ],
    ['a developer message', message('Fix it.', { role: 'developer' })],
    ['an answer', { type: 'event_msg', payload: { type: 'agent_message', message: 'Done.' } }],
    ['a record without a payload', { type: 'event_msg' }],
  ])('is not %s', (_what, record) => {
    expect(rolloutPromptOf(record)).toBeUndefined();
  });
});
