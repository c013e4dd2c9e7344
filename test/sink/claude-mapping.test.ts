import { describe, expect, it } from 'vitest';
import { mapClaudeHook } from '../../sink/claude-mapping.ts';
import { readHookPayload } from '../../sink/hook-payload.ts';

/** The operation's event and subagent for a hook's input. */
function mapped(fields: object): { event: unknown; agent_id: unknown } | undefined {
  const payload = readHookPayload(JSON.stringify({ session_id: 's1', ...fields }));
  const operation = typeof payload === 'string' ? undefined : mapClaudeHook(payload);
  if (operation?.op !== 'observe') return undefined;
  return { event: operation.payload.event, agent_id: operation.payload.agent_id };
}

describe('the end of a subagent', () => {
  it.each(['', '   '])('without an id (%j) says nothing of the main agent', (agent_id) => {
    const stop = { hook_event_name: 'SubagentStop', agent_id, agent_type: 'Explore' };
    expect(mapped(stop)).toEqual({ event: 'transcript_discovered', agent_id: undefined });
  });

  it('releases the wait of its own id', () => {
    const stop = { hook_event_name: 'SubagentStop', agent_id: 'a1', agent_type: 'Explore' };
    expect(mapped(stop)).toEqual({ event: 'post_tool_use', agent_id: 'a1' });
  });
});
