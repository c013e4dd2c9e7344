import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { piPromptOf, readPiSession } from '../../../agents/pi/session-file.ts';
import { piSessionIdOf } from '../../../agents/pi/session-listing.ts';

const CLONE = path.join(import.meta.dirname, '../../fixtures/pi/events-session-file.jsonl');
const LIMITS = { headBytes: 262_144, tailBytes: 1_048_576, titleBytes: 65_536, prompts: 100 };

describe('a session file written by the real pi', () => {
  const summary = readPiSession(CLONE, statSync(CLONE).size, LIMITS);

  it('gives directory, name, prompts and the session it was cloned from', () => {
    expect(summary).toMatchObject({
      cwd: '/home/dev/project',
      name: 'My lab title',
      firstPrompt: 'hello there',
      forkedFrom: '01a22beb-9675-72c2-944c-7a87a594fcdb',
      promptsComplete: true,
    });
    expect(summary.prompts.map(({ text }) => text)).toEqual(['hello there', 'use-tool first']);
  });

  it('began when it was cloned, not when the copied entries were written', () => {
    expect(new Date(summary.startedAt ?? 0).toISOString()).toBe('2026-11-30T10:06:31.964Z');
    expect(summary.lastActivityAt).toBe(summary.startedAt);
  });
});

describe('the name of a session file', () => {
  it.each([
    [
      '2026-11-30T10-06-29-493Z_01a22beb-9675-72c2-944c-7a87a594fcdb.jsonl',
      '01a22beb-9675-72c2-944c-7a87a594fcdb',
    ],
    ['2026-11-30T10-06-29-493Z_my-custom.id_1.jsonl', 'my-custom.id_1'],
    ['notes.jsonl', undefined],
    ['2026-11-30T10-06-29-493Z_.jsonl', undefined],
    ['2026-11-30T10-06-29-493Z_../x.jsonl', undefined],
  ])('%s', (name, id) => {
    expect(piSessionIdOf(name)).toBe(id);
  });
});

describe('a prompt in a session file', () => {
  it('is a user message, of text or of parts', () => {
    expect(piPromptOf({ type: 'message', message: { role: 'user', content: 'Fix it.' } })).toBe('Fix it.');
    expect(
      piPromptOf({
        type: 'message',
        message: { role: 'user', content: [{ type: 'text', text: 'Fix it.' }] },
      }),
    ).toBe('Fix it.');
  });

  it('is nothing an extension, a tool or a shell command added', () => {
    expect(piPromptOf({ type: 'custom_message', message: { role: 'user', content: 'x' } })).toBeUndefined();
    expect(piPromptOf({ type: 'message', message: { role: 'toolResult', content: 'x' } })).toBeUndefined();
    expect(piPromptOf({ type: 'message', message: { role: 'bashExecution', command: 'x' } })).toBeUndefined();
  });
});
