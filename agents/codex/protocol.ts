/**
 * The part of Codex's app-server protocol that an observer needs: threads and their status. Everything is read
 * tolerantly, because the server is another program of another version: what is not understood is undefined.
 */

/** What a thread does, as `thread/read` and `thread/status/changed` say it. */
export interface ThreadStatus {
  type: 'notLoaded' | 'idle' | 'systemError' | 'active';
  /** Set for `active`: someone has to approve something, or to answer a question. */
  waitingOnApproval: boolean;
  waitingOnUserInput: boolean;
  /** Flags of this status that are not known here; they change nothing. */
  unknownFlags: number;
}

/**
 * What a thread is to a person: a `session` they talk to, a `subagent` whose waits are its session's, or a `side` thread
 * (titling, automatic review, memory) that concerns nobody.
 */
export type ThreadRole = 'session' | 'subagent' | 'side';

/** One thread, reduced to what is needed. No preview, no name, no turns: an observer keeps no content. */
export interface CodexThread {
  id: string;
  role: ThreadRole;
  /** The id of the thread whose session this thread belongs to: its own for a session. */
  rootId: string;
  parentId: string | undefined;
  status: ThreadStatus | undefined;
  cwd: string | undefined;
  model: string | undefined;
  /** Path of the rollout; it is named before the file exists. */
  path: string | undefined;
}

/** The requests an observer makes. Nothing else is ever sent. */
export const OBSERVER_REQUESTS = [
  'initialize',
  'thread/loaded/list',
  'thread/read',
  'thread/unsubscribe',
] as const;
export type ObserverRequest = (typeof OBSERVER_REQUESTS)[number];

/**
 * Notifications an observer asks not to be sent. A server attaches the threads it starts itself (subagents) to every
 * client, so without this an observer is sent their texts and command output.
 */
export const UNWANTED_NOTIFICATIONS = [
  'turn/started',
  'turn/completed',
  'turn/diff/updated',
  'turn/plan/updated',
  'turn/moderationMetadata',
  'item/started',
  'item/completed',
  'item/agentMessage/delta',
  'item/plan/delta',
  'item/autoApprovalReview/started',
  'item/autoApprovalReview/completed',
  'item/commandExecution/outputDelta',
  'item/commandExecution/terminalInteraction',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/mcpToolCall/progress',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/summaryPartAdded',
  'item/reasoning/textDelta',
  'hook/started',
  'hook/completed',
  'command/exec/outputDelta',
  'process/outputDelta',
  'process/exited',
  'serverRequest/resolved',
  'thread/tokenUsage/updated',
  'thread/name/updated',
  'thread/settings/updated',
  'thread/goal/updated',
  'thread/goal/cleared',
  'thread/prediction/updated',
  'thread/queue/changed',
  'thread/readState/changed',
  'thread/compacted',
  'account/rateLimits/updated',
  'model/rerouted',
  'model/verification',
  'model/safetyBuffering/updated',
  'guardianWarning',
  'mcpServer/startupStatus/updated',
  'app/list/updated',
  'skills/changed',
] as const;

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads a status, or returns undefined for a word that is not known: such a status changes nothing. */
export function readThreadStatus(value: unknown): ThreadStatus | undefined {
  const fields = fieldsOf(value);
  const type = fields?.type;
  if (type !== 'notLoaded' && type !== 'idle' && type !== 'systemError' && type !== 'active')
    return undefined;
  const flags: unknown[] = type === 'active' && Array.isArray(fields?.activeFlags) ? fields.activeFlags : [];
  const known = flags.filter((flag) => flag === 'waitingOnApproval' || flag === 'waitingOnUserInput');
  return {
    type,
    waitingOnApproval: flags.includes('waitingOnApproval'),
    waitingOnUserInput: flags.includes('waitingOnUserInput'),
    unknownFlags: flags.length - known.length,
  };
}

/** The subagent part of a thread's source. The wire spells it `subAgent`, the disk `subagent`. */
export function subagentSource(source: unknown): unknown {
  const fields = fieldsOf(source);
  return fields?.subAgent ?? fields?.subagent;
}

/** Subagents that do housekeeping: nobody waits for them and nobody talks to them. */
function isSideSource(subagent: unknown): boolean {
  if (subagent === 'compact' || subagent === 'memory_consolidation') return true;
  return fieldsOf(subagent)?.other !== undefined;
}

function spawnedBy(subagent: unknown): string | undefined {
  return textOf(fieldsOf(fieldsOf(subagent)?.thread_spawn)?.parent_thread_id);
}

/** Reads a `Thread` as it stands on the wire, or returns undefined when it has no id. */
export function readThread(value: unknown): CodexThread | undefined {
  const fields = fieldsOf(value);
  const id = textOf(fields?.id);
  if (fields === undefined || id === undefined) return undefined;
  const subagent = subagentSource(fields.source);
  const parentId = textOf(fields.parentThreadId) ?? spawnedBy(subagent);
  const sessionId = textOf(fields.sessionId);
  const rootId = sessionId !== undefined && sessionId !== id ? sessionId : (parentId ?? id);
  const isSide =
    fields.ephemeral === true ||
    isSideSource(subagent) ||
    fields.threadSource === 'thread_title' ||
    fields.threadSource === 'guardian_review';
  const isChild = rootId !== id || subagent !== undefined;
  return {
    id,
    role: isSide ? 'side' : isChild ? 'subagent' : 'session',
    rootId,
    parentId,
    status: readThreadStatus(fields.status),
    cwd: textOf(fields.cwd),
    model: textOf(fields.model),
    path: textOf(fields.path),
  };
}

/** The ids of one page of `thread/loaded/list`, and where the next page starts. */
export function readLoadedPage(value: unknown): { ids: string[]; next: string | undefined } | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined || !Array.isArray(fields.data)) return undefined;
  const ids = fields.data.filter((id): id is string => typeof id === 'string' && id !== '');
  return { ids, next: textOf(fields.nextCursor) };
}

/** A push that says something about one thread. */
export type ThreadPush =
  | { kind: 'started'; thread: CodexThread }
  | { kind: 'status'; threadId: string; status: ThreadStatus | undefined }
  | { kind: 'gone'; threadId: string };

/** Reads a notification, or returns undefined when it is not about a thread's life. */
export function readThreadPush(method: string, params: unknown): ThreadPush | undefined {
  const fields = fieldsOf(params);
  if (method === 'thread/started') {
    const thread = readThread(fields?.thread);
    return thread && { kind: 'started', thread };
  }
  const threadId = textOf(fields?.threadId);
  if (threadId === undefined) return undefined;
  if (method === 'thread/status/changed') {
    return { kind: 'status', threadId, status: readThreadStatus(fields?.status) };
  }
  if (method === 'thread/closed' || method === 'thread/archived' || method === 'thread/deleted') {
    return { kind: 'gone', threadId };
  }
  return undefined;
}
