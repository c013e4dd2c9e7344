import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../shims/edit/json-text.ts';
import { addClaudeHooks } from '../../../shims/hooks/claude-hooks.ts';
import { inspectHooks } from '../../../shims/hooks/inspect-hooks.ts';

const COMMAND = '/d/omni-dev sessions hook';
const group = (...commands: string[]) => ({
  hooks: commands.map((command) => ({ type: 'command', command })),
});
const inspect = (hooks: unknown) => inspectHooks(new JsonText(JSON.stringify({ hooks })), 'claude', COMMAND);

describe('the state of our hooks in a settings file', () => {
  it('is complete after an installation', () => {
    const text = new JsonText('{}');
    addClaudeHooks(text, COMMAND);
    expect(inspectHooks(text, 'claude', COMMAND)).toMatchObject({
      missing: [],
      duplicated: [],
      others: [],
      coInstalled: [],
    });
  });

  it('names what is missing, stale and doubled', () => {
    const state = inspect({
      Stop: [group(COMMAND)],
      SessionEnd: [group(COMMAND, '/old/omni-dev sessions hook')],
    });
    expect(state.installed).toEqual(['Stop', 'SessionEnd']);
    expect(state.missing).toHaveLength(15);
    expect(state.duplicated).toEqual(['SessionEnd']);
    expect(state.others).toEqual([{ event: 'SessionEnd', command: '/old/omni-dev sessions hook' }]);
  });

  it('C12: counts hooks of other tools on the same events', () => {
    const http = { hooks: [{ type: 'http', url: 'http://127.0.0.1' }] };
    const state = inspect({ Stop: [group('lint', COMMAND), http], MyEvent: [group('x')] });
    expect(state.coInstalled).toEqual([{ event: 'Stop', count: 2 }]);
  });

  it('is empty where there are no hooks', () => {
    expect(inspect(5)).toMatchObject({ installed: [], others: [], coInstalled: [] });
    expect(inspectHooks(new JsonText('{}'), 'codex', COMMAND).missing).toHaveLength(12);
  });
});
