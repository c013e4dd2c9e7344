import type { PlainEvent, SessionEvent } from '../contract/events.ts';
import type { HookOperation } from './claude-mapping.ts';

/** Codex hook events that always mean the same. */
const FIXED: Readonly<Record<string, PlainEvent | SessionEvent>> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'user_prompt_submit',
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  SubagentStart: 'post_tool_use',
  Stop: 'stop',
  Interrupt: 'stop',
  SubagentStop: 'transcript_discovered',
  PreCompact: 'transcript_discovered',
  PostCompact: 'transcript_discovered',
  PermissionRequest: { notification: 'permission_prompt' },
};

/** Maps one Codex hook payload to the operation it sends, or undefined when it sends none. Pure. */
export function mapCodexHook(payload: Record<string, unknown>): HookOperation | undefined {
  const { session_id, hook_event_name: hook } = payload;
  if (typeof session_id !== 'string' || typeof hook !== 'string') return undefined;
  if (hook === 'SessionEnd') return { op: 'end', payload: { session_id } };
  const event = Object.hasOwn(FIXED, hook) ? FIXED[hook] : undefined;
  return event === undefined ? undefined : { op: 'observe', payload: { session_id, event, hook } };
}
