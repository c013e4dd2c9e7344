import type { Outcome, SessionEvent } from '../contract/events.ts';
import type { EndPayload, ObservePayload } from '../contract/messages.ts';

/** The one operation that a Codex hook event sends. Stamp, pid and agent are added by the sink. */
export type CodexHookOperation =
  | { op: 'observe'; payload: ObservePayload }
  | { op: 'end'; payload: EndPayload };

const KEEPS_STATE: SessionEvent = 'transcript_discovered';

/** Codex hook events that always mean the same (docs/protocol.md, "Codex hooks"). */
const FIXED: Readonly<Record<string, SessionEvent>> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'user_prompt_submit',
  PostToolUse: 'post_tool_use',
  PermissionRequest: { notification: 'permission_prompt' },
  Stop: 'stop',
  Interrupt: 'stop',
  // Spawned by a tool call of its parent, so always inside a turn.
  SubagentStart: 'post_tool_use',
  // Each of these can come on an idle session, and nothing afterwards would release a `working`.
  SubagentStop: KEEPS_STATE,
  PreCompact: KEEPS_STATE,
  PostCompact: KEEPS_STATE,
};

const OUTCOMES: Readonly<Record<string, Outcome>> = { Stop: 'done', Interrupt: 'interrupted' };

type Payload = Readonly<Record<string, unknown>>;

/** The question to the user is a tool call. Its asynchronous twin posts the question and lets the turn go on. */
function preToolUse({ tool_name: tool }: Payload): SessionEvent {
  return tool === 'request_user_input' ? { notification: 'agent_needs_input' } : 'pre_tool_use';
}

/**
 * Understood, not installed: these hooks would delay every model request. Only a request of the main agent's own turn
 * shows that it works; a compaction may run on an idle session, a subagent's while its parent waits.
 */
function preModelRequest({ kind, agent_id: agentId }: Payload): SessionEvent {
  return kind === 'sampling' && agentId === undefined ? 'post_tool_use' : KEEPS_STATE;
}

/** A turn that the model failed ends without a `Stop`. A finished request may be logged after what it asked for. */
function postModelRequest(payload: Payload): SessionEvent {
  return isFailedTurn(payload) ? 'stop' : KEEPS_STATE;
}

function isFailedTurn({ hook_event_name: hook, status, agent_id: agentId }: Payload): boolean {
  return hook === 'PostModelRequest' && status === 'failed' && agentId === undefined;
}

function eventOf(hook: string, payload: Payload): SessionEvent | undefined {
  if (hook === 'PreToolUse') return preToolUse(payload);
  if (hook === 'PreModelRequest') return preModelRequest(payload);
  if (hook === 'PostModelRequest') return postModelRequest(payload);
  return Object.hasOwn(FIXED, hook) ? FIXED[hook] : undefined;
}

/** A text of the payload, or undefined when it is missing, blank or no text. */
function text(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Inside a subagent most events name the subagent's rollout under the session's id: that one is not the session's. */
function transcriptPath(payload: Payload, sessionId: string): string | undefined {
  const path = text(payload, 'transcript_path');
  const isSubagents = text(payload, 'agent_id') !== undefined && path?.includes(sessionId) !== true;
  return isSubagents ? undefined : path;
}

/** Drops absent keys, so that what is sent holds no undefined. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}

/**
 * Maps one Codex hook payload to the operation it sends, or undefined when it sends none: an event that is not known
 * changes nothing. Pure. Only ids, paths, the model and the kind of event pass; never a prompt, a tool's input or
 * output, or a message.
 *
 * `session_id` is the root thread's, for the events of subagents too.
 */
export function mapCodexHook(payload: Payload): CodexHookOperation | undefined {
  const sessionId = text(payload, 'session_id');
  const hook = text(payload, 'hook_event_name');
  if (sessionId === undefined || hook === undefined) return undefined;
  if (hook === 'SessionEnd') {
    const reason = text(payload, 'reason');
    return { op: 'end', payload: defined({ session_id: sessionId, reason }) as EndPayload };
  }
  const event = eventOf(hook, payload);
  if (event === undefined) return undefined;
  const observe = defined({
    session_id: sessionId,
    event,
    cwd: text(payload, 'cwd'),
    transcript_path: transcriptPath(payload, sessionId),
    model: text(payload, 'model'),
    agent_id: text(payload, 'agent_id'),
    outcome: isFailedTurn(payload) ? 'failed' : OUTCOMES[hook],
    hook,
    turn_id: text(payload, 'turn_id'),
    tool_use_id: text(payload, 'tool_use_id'),
  });
  return { op: 'observe', payload: observe as ObservePayload };
}
