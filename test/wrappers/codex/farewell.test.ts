import { describe, expect, it } from 'vitest';
import type { SessionReading } from '../../../agents/codex/thread-tracker.ts';
import { farewell } from '../../../wrappers/codex/farewell.ts';

const session = (sessionId: string, more: Partial<SessionReading> = {}): SessionReading => ({
  sessionId,
  state: 'idle',
  outcome: undefined,
  cwd: '/p',
  model: undefined,
  transcriptPath: `/rollouts/${sessionId}`,
  subagents: 0,
  ...more,
});

describe('the explanation after the interface has exited', () => {
  it('says that the address shown above is gone, and how to continue', () => {
    expect(farewell([session('a'), session('b')], 'codex', () => true)).toBe(
      [
        'omni-dev: the private server named above has stopped, so that address no longer works.',
        'omni-dev: to continue:',
        '  codex resume a',
        '  codex resume b',
      ].join('\n'),
    );
  });

  it('says that a running turn was stopped', () => {
    expect(farewell([session('a', { state: 'working' })], 'codex', () => true)).toContain(
      'a running turn was stopped',
    );
    const two = [session('a', { state: 'working' }), session('b', { state: 'waiting_for_input' })];
    expect(farewell(two, 'codex', () => true)).toContain('2 running turns were stopped');
  });

  it('is left out when nothing can be resumed', () => {
    expect(farewell([], 'codex', () => true)).toBeUndefined();
    expect(farewell([session('a')], 'codex', () => false)).toBeUndefined();
    expect(farewell([session('a', { transcriptPath: undefined })], 'codex', () => true)).toBeUndefined();
  });

  it('lets nothing reach the terminal raw', () => {
    const words = farewell([session('a\x1b]0;owned\x07')], 'co\x1b[2Jdex', () => true);
    expect(words).not.toMatch(/[\x07\x1b]/);
  });
});
