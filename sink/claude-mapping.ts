import type { Background, NotificationKind, Outcome, PlainEvent, SessionEvent } from '../contract/events.ts';
import type { EndPayload, ObservePayload } from '../contract/messages.ts';
import { extraText, type HookPayload } from './hook-payload.ts';

/** The one operation that a hook event sends. Stamp, pid and agent are added by the sink. */
export type HookOperation = { op: 'observe'; payload: ObservePayload } | { op: 'end'; payload: EndPayload };

const PERMISSION: SessionEvent = { notification: 'permission_prompt' };
const NEEDS_INPUT: SessionEvent = { notification: 'agent_needs_input' };

/** Hook events that always mean the same (docs/protocol.md, "Claude hooks"). */
const FIXED: Readonly<Record<string, PlainEvent | SessionEvent>> = {
  UserPromptSubmit: 'user_prompt_submit',
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  PostToolUseFailure: 'post_tool_use',
  PermissionDenied: 'post_tool_use',
  ElicitationResult: 'post_tool_use',
  SubagentStart: 'post_tool_use',
  Stop: 'stop',
  StopFailure: 'stop',
  PreCompact: 'transcript_discovered',
  PostCompact: 'transcript_discovered',
  PostModelSwitch: 'transcript_discovered',
  Elicitation: NEEDS_INPUT,
};

const NOTIFICATION_TYPES: Readonly<Record<string, NotificationKind>> = {
  permission_prompt: 'permission_prompt',
  idle_prompt: 'idle_prompt',
  elicitation_dialog: 'agent_needs_input',
};

const OUTCOMES: Readonly<Record<string, Outcome>> = { Stop: 'done', StopFailure: 'failed' };

/** The type decides; only versions without a type are read by the words of their message. */
function notificationKind(payload: HookPayload): NotificationKind {
  const type = payload.notification_type;
  if (type !== undefined)
    return Object.hasOwn(NOTIFICATION_TYPES, type) ? (NOTIFICATION_TYPES[type] ?? 'other') : 'other';
  const message = (payload.message ?? '').toLowerCase();
  const says = (...words: string[]) => words.some((word) => message.includes(word));
  if (says('permission', 'approve', 'allow')) return 'permission_prompt';
  return says('waiting for your input', 'idle', 'needs your input') ? 'idle_prompt' : 'other';
}

/** A compaction ends a subagent of its own, without a type: nobody's wait. */
function subagentStop(payload: HookPayload): SessionEvent {
  const real = (payload.agent_id ?? '').trim() !== '' && payload.raw.agent_type !== '';
  return real ? 'post_tool_use' : 'transcript_discovered';
}

function eventOf(payload: HookPayload): SessionEvent | undefined {
  switch (payload.hook_event_name) {
    case 'SessionStart':
      return payload.source === 'compact' ? 'transcript_discovered' : 'session_start';
    case 'SubagentStop':
      return subagentStop(payload);
    case 'PermissionRequest':
      return extraText(payload, 'tool_name') === 'AskUserQuestion' ? NEEDS_INPUT : PERMISSION;
    case 'Notification':
      return { notification: notificationKind(payload) };
    default:
      return Object.hasOwn(FIXED, payload.hook_event_name) ? FIXED[payload.hook_event_name] : undefined;
  }
}

/** Running background work of a `Stop`, or undefined when there is none. Counts only. */
function backgroundOf(payload: HookPayload): Background | undefined {
  const tasks = payload.raw.background_tasks;
  if (!Array.isArray(tasks)) return undefined;
  const running = (type: string) =>
    tasks.filter(
      (task: unknown) =>
        typeof task === 'object' &&
        task !== null &&
        'type' in task &&
        'status' in task &&
        task.type === type &&
        task.status === 'running',
    ).length;
  const background = { subagents: running('subagent'), shells: running('shell') };
  return background.subagents + background.shells > 0 ? background : undefined;
}

/** Drops absent keys, so that what is sent holds no undefined. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}

/**
 * Maps one Claude Code hook payload to the operation it sends, or undefined when it sends none. Pure. Only ids, paths,
 * the model and the kind of event pass; never a prompt, a tool's input or output, or a message.
 */
export function mapClaudeHook(payload: HookPayload): HookOperation | undefined {
  const { session_id, hook_event_name: hook } = payload;
  if (hook === 'SessionEnd') {
    const reason = payload.reason ?? payload.message;
    return { op: 'end', payload: reason === undefined ? { session_id } : { session_id, reason } };
  }
  const event = eventOf(payload);
  if (event === undefined) return undefined;
  const isStop = event === 'stop';
  const observe = defined({
    session_id,
    event,
    cwd: payload.cwd,
    transcript_path: payload.transcript_path,
    model: payload.model ?? (hook === 'PostModelSwitch' ? extraText(payload, 'to_model') : undefined),
    agent_id: hook === 'SubagentStop' && event !== 'post_tool_use' ? undefined : payload.agent_id,
    background: isStop ? backgroundOf(payload) : undefined,
    outcome: OUTCOMES[hook],
    hook,
    prompt_id: extraText(payload, 'prompt_id'),
    tool_use_id: extraText(payload, 'tool_use_id'),
  });
  return { op: 'observe', payload: observe as ObservePayload };
}

/** The agent's pid: CLAUDE_PID where Claude set it, else the hook's parent; a parent of 1 means the agent is gone. */
export function claudePid(
  env: Readonly<Record<string, string | undefined>>,
  parent: number | undefined,
): number | undefined {
  const named = env.CLAUDE_PID;
  if (named !== undefined && /^[1-9]\d{0,9}$/.test(named)) return Number(named);
  return parent === undefined || parent <= 1 ? undefined : parent;
}
