import { describe, expect, it } from 'vitest';
import { humanPromptOf } from '../../../agents/claude/human-prompt.ts';

const text = (content: unknown, more: object = {}) => ({
  type: 'user',
  timestamp: '2026-11-30T10:00:00.000Z',
  message: { role: 'user', content },
  ...more,
});

describe('a line a person typed', () => {
  it.each([
    ['in the terminal', text('Fix it.', { promptSource: 'typed', origin: { kind: 'human' } }), 'Fix it.'],
    ['in an editor', text([{ type: 'text', text: 'Fix it.' }], { promptSource: 'sdk' }), 'Fix it.'],
    ['in a version that does not say so', text('Fix it.'), 'Fix it.'],
    [
      'beside what the editor had open',
      text(
        [
          { type: 'text', text: '<ide_opened_file>a.ts</ide_opened_file>' },
          { type: 'text', text: 'Fix it.' },
        ],
        { promptSource: 'sdk' },
      ),
      'Fix it.',
    ],
    ['that begins like markup', text('<b>bold</b> is wrong here', {}), '<b>bold</b> is wrong here'],
    ['of images alone', text([{ type: 'image' }], { promptSource: 'typed' }), ''],
    [
      'while a turn ran',
      {
        type: 'attachment',
        attachment: { type: 'queued_command', commandMode: 'prompt', prompt: 'Also this.' },
      },
      'Also this.',
    ],
    [
      'while a turn ran, in blocks',
      {
        type: 'attachment',
        attachment: {
          type: 'queued_command',
          commandMode: 'prompt',
          prompt: [{ type: 'text', text: 'Also this.' }],
        },
      },
      'Also this.',
    ],
  ])('%s', (_what, record, expected) => {
    expect(humanPromptOf(record as Record<string, unknown>)?.text).toBe(expected);
  });
});

describe('a line nobody typed', () => {
  it.each([
    ['a tool result', text([{ type: 'tool_result', tool_use_id: 'a', content: 'x' }])],
    ['a finished background task', text('<task-notification>', { promptSource: 'system' })],
    ['a finished background task of an old version', text('<task-notification>\n<task-id>')],
    ['injected context', text('Context.', { isMeta: true, promptSource: 'typed' })],
    ['a summary', text('This session is being continued', { isCompactSummary: true })],
    ['a slash command', text('<command-name>/clear</command-name>')],
    ['the output of a command', text('<local-command-stdout>Bye</local-command-stdout>')],
    [
      'an interrupt',
      text([{ type: 'text', text: '[Request interrupted by user]' }], { rowSource: 'harness' }),
    ],
    ['an interrupt of an old version', text('[Request interrupted by user for tool use]')],
    ['a subagent task', text('Count.', { isSidechain: true, promptSource: 'typed' })],
    ['an answer', { type: 'assistant', message: { content: 'Fix it.' } }],
    [
      'a queued notice',
      {
        type: 'attachment',
        attachment: { type: 'queued_command', commandMode: 'task-notification', prompt: 'x' },
      },
    ],
    ['another attachment', { type: 'attachment', attachment: { type: 'date', prompt: 'x' } }],
    ['no message at all', { type: 'user' }],
  ])('%s', (_what, record) => {
    expect(humanPromptOf(record as Record<string, unknown>)).toBeUndefined();
  });
});
