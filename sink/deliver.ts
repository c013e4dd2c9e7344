import { existsSync } from 'node:fs';
import path from 'node:path';
import { sendRequest, sendUnanswered, TransportError } from '../contract/client.ts';
import type { EndPayload, ObservePayload, Stamp } from '../contract/messages.ts';
import { sessionsRequest } from '../contract/messages.ts';
import type { Paths } from '../contract/paths.ts';
import { claudePid, type HookOperation, mapClaudeHook } from './claude-mapping.ts';
import { mapCodexHook } from './codex-mapping.ts';
import type { HookDiagnostics } from './diagnostics.ts';
import { readHookPayload } from './hook-payload.ts';
import { appendToJournal } from './journal-file.ts';
import { journalLine, journalPath } from './journal-record.ts';
import type { SinkOptions } from './options.ts';

/** Events at whose hook the agent waits with its own end. */
const ENDING_EVENTS: ReadonlySet<string> = new Set(['SessionEnd', 'Interrupt']);
/** A journaled event is safe: a daemon too busy to take its request within this time finds it in the journal. */
const JOURNALED_SEND_MS = 300;

/** What the process of one hook is and knows. */
export interface HookProcess {
  agent: SinkOptions['agent'];
  env: Readonly<Record<string, string | undefined>>;
  /** Parent pid of the hook. */
  parent: number | undefined;
  pidNamespace: string | undefined;
  stamp: Stamp;
  paths: Paths;
  /** Milliseconds that the send may take; `ending` is true for events at which the agent waits. */
  limitMs(ending: boolean): number;
  report: HookDiagnostics | undefined;
}

/** Completes an operation with what the sink knows: who speaks, when, and from which process. */
function complete(operation: HookOperation, hook: HookProcess): HookOperation {
  const pid = claudePid(hook.agent === 'codex' ? {} : hook.env, hook.parent);
  const payload: ObservePayload | EndPayload = operation.payload;
  if (pid !== undefined) payload.pid = pid;
  if (pid !== undefined && hook.pidNamespace !== undefined) payload.pid_ns = hook.pidNamespace;
  payload.stamp = hook.stamp;
  payload.feed = 'hook';
  if (operation.op === 'observe' && hook.agent !== 'claude') operation.payload.agent = hook.agent;
  return operation;
}

/** Tells the daemon once. Only diagnostics and events that are nowhere else need its reply: the agent waits for us. */
async function post(
  socket: string,
  operation: HookOperation,
  timeoutMs: number,
  needsReply: boolean,
): Promise<string> {
  // Being refused by nobody takes Node milliseconds that the agent would wait.
  if (!existsSync(socket)) return 'transport_failed';
  const request = sessionsRequest(operation.op, operation.payload);
  try {
    if (!needsReply) return await sendUnanswered(socket, request, timeoutMs).then(() => 'sent');
    const reply = await sendRequest(socket, request, { timeoutMs });
    return reply.ok ? 'delivered' : 'daemon_rejected';
  } catch (error) {
    const timedOut = error instanceof TransportError && error.code === 'DAEMON_TIMEOUT';
    return timedOut ? 'timeout' : 'transport_failed';
  }
}

/**
 * Delivers one hook event: maps its input, appends it to the session's journal, then tells the daemon once. Never throws
 * for anything in the input; says what it did in diagnostics only.
 *
 * @param input the hook's standard input, undefined when it was too long to hold.
 */
export async function deliverHook(input: string | undefined, hook: HookProcess): Promise<void> {
  const { report, agent, paths } = hook;
  const payload = input === undefined ? 'too_long' : readHookPayload(input);
  if (typeof payload === 'string') return report?.('session_hook_skipped', { reason: payload });
  const { hook_event_name: event, session_id } = payload;
  const mapped = agent === 'codex' ? mapCodexHook(payload.raw) : mapClaudeHook(payload);
  if (mapped === undefined) return report?.('session_hook_skipped', { reason: 'event', hook: event });
  const operation = complete(mapped, hook);
  const file = journalPath(agent, session_id);
  const line = journalLine(agent, operation, hook.stamp);
  const journaled =
    file === undefined
      ? 'not_journaled'
      : appendToJournal(path.join(paths.journalsDir, file), line, Date.now());
  report?.('session_hook_journal', { session_id, outcome: journaled });
  const limit = hook.limitMs(ENDING_EVENTS.has(event));
  const isSafe = journaled === 'journaled';
  const bounded = isSafe ? Math.min(limit, JOURNALED_SEND_MS) : limit;
  const outcome = await post(paths.socket, operation, bounded, !isSafe || report !== undefined);
  report?.('session_hook_report', { session_id, op: operation.op, hook: event, outcome });
}
