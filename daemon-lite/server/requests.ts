import { decodeUtf8 } from '../../contract/line-splitter.ts';
import { CAPABILITIES, COMMIT, IMPLEMENTATION, VERSION } from '../../contract/version.ts';
import type { WaitingTimePayload } from '../../contract/waiting-time.ts';
import type { TargetLog } from '../diagnostics/log.ts';
import type { RegistryApi } from '../registry/api.ts';
import type { Ingest } from './ingest.ts';
import { fieldsOf, readEnd, readObserve, readText, readWindow } from './payloads.ts';
import { ACCEPTED_LINE, errorLine, okLine } from './replies.ts';
import { encodeList } from './snapshot.ts';

/** What to do about one request line: send a reply line, stream, or reply and stop the daemon. */
export type Answer =
  | string
  | Promise<string>
  | { subscribe: true }
  | { stop: true; reply: string }
  | { unreadable: string };

export interface RequestContext {
  registry: RegistryApi;
  ingest: Ingest;
  log: TargetLog;
  /** Facts for `status` beside the registry's. */
  detail(): Record<string, unknown>;
  /** How long sessions stood waiting today. */
  waitingTime?(): WaitingTimePayload;
}

/** Answers one request line. Throws nothing: what fails inside is an error reply and a warning. */
export function answer(line: Buffer, context: RequestContext): Answer {
  const text = decodeUtf8(line);
  if (text === undefined) return { unreadable: 'read error: the line is not valid UTF-8' };
  try {
    const result = dispatch(text, context);
    return result instanceof Promise ? result.catch((error) => failed(error, context)) : result;
  } catch (error) {
    return failed(error, context);
  }
}

function failed(error: unknown, context: RequestContext): string {
  context.log.error('request_failed', { error: error instanceof Error ? error.name : typeof error });
  return errorLine('internal error');
}

function dispatch(text: string, context: RequestContext): Answer {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return rejected(context, 'invalid envelope: not valid JSON');
  }
  const envelope = fieldsOf(request);
  if (envelope === undefined) return rejected(context, 'invalid envelope: not an object');
  const { service, op, payload } = envelope;
  if (typeof op !== 'string') return rejected(context, 'invalid envelope: `op` must be a string');
  if (service === undefined || service === null || service === 'daemon') return builtIn(op, context);
  if (typeof service !== 'string') return rejected(context, 'invalid envelope: `service` must be a string');
  if (service !== 'sessions') return rejected(context, `unknown service: ${service}`);
  return sessions(op, payload, context);
}

/** An error reply. A sender that is refused is worth a warning: what it has to say is lost. */
function rejected(context: RequestContext, error: string): string {
  context.log.warn('request_rejected', { error });
  return errorLine(error);
}

function builtIn(op: string, context: RequestContext): Answer {
  switch (op) {
    case 'ping':
      return okLine({ pong: true, ...build(), capabilities: CAPABILITIES });
    case 'status':
      return okLine({ services: [sessionsStatus(context)], ...build() });
    case 'shutdown':
      return { stop: true, reply: okLine({ stopping: true }) };
    default:
      return rejected(context, `unknown daemon op: ${op}`);
  }
}

/** What is known about this build; an unknown commit is left out. */
function build(): Record<string, unknown> {
  return {
    version: VERSION,
    ...(COMMIT === '' ? {} : { commit: COMMIT }),
    implementation: IMPLEMENTATION,
    pid: process.pid,
  };
}

function sessionsStatus(context: RequestContext): Record<string, unknown> {
  return { name: 'sessions', healthy: true, summary: context.registry.summary(), detail: context.detail() };
}

function sessions(op: string, payload: unknown, context: RequestContext): Answer {
  switch (op) {
    case 'observe':
      return observe(payload, context);
    case 'end':
      return end(payload, context);
    case 'window':
      return window(payload, context);
    case 'window-unregister':
      return unregisterWindow(payload, context);
    case 'list':
      return encodeList(context.registry.list());
    case 'subscribe':
      return { subscribe: true };
    case 'why':
      return why(payload, context);
    case 'focus-folder':
      return focusFolder(payload, context);
    case 'stats':
      return context.waitingTime === undefined
        ? rejected(context, 'no statistics are kept')
        : okLine(context.waitingTime());
    default:
      return rejected(context, `unknown sessions op: ${op}`);
  }
}

function observe(payload: unknown, context: RequestContext): Answer {
  const checked = readObserve(payload);
  if ('problem' in checked) return rejected(context, `invalid \`observe\` payload: ${checked.problem}`);
  if (checked.value.session_id.trim() === '')
    return rejected(context, '`observe` requires a non-empty `session_id`');
  const outcome = context.ingest.observe(checked.value, 'socket');
  return outcome instanceof Promise ? outcome.then(() => ACCEPTED_LINE) : ACCEPTED_LINE;
}

function end(payload: unknown, context: RequestContext): Answer {
  const value = readEnd(payload);
  if (value === undefined) return rejected(context, '`end` requires `session_id`');
  const result = context.ingest.end(value, 'socket');
  return result instanceof Promise
    ? result.then(({ ended }) => okLine({ ended }))
    : okLine({ ended: result.ended });
}

function window(payload: unknown, context: RequestContext): Answer {
  const checked = readWindow(payload);
  if ('problem' in checked) return rejected(context, `invalid \`window\` payload: ${checked.problem}`);
  if (checked.value.key.trim() === '') return rejected(context, '`window` requires a non-empty `key`');
  context.registry.window(checked.value);
  return ACCEPTED_LINE;
}

function unregisterWindow(payload: unknown, context: RequestContext): Answer {
  const key = readText(payload, 'key');
  if (key === undefined) return rejected(context, '`window-unregister` requires `key`');
  return okLine({ removed: context.registry.unregisterWindow(key) });
}

/** Additive op `why` {id}: the layers of the one session whose id starts so. */
function why(payload: unknown, context: RequestContext): Answer {
  const id = readText(payload, 'id');
  if (id === undefined || id.trim() === '') return rejected(context, '`why` requires a non-empty `id`');
  const found = context.registry.why(id);
  if (!('candidates' in found)) return okLine(found);
  if (found.candidates.length === 0) return rejected(context, `no session matches \`${id}\``);
  return rejected(context, `several sessions match \`${id}\`: ${found.candidates.join(', ')}`);
}

/** Additive op `focus-folder` {session_id}: the folder to open to reach the session's window, or null. */
function focusFolder(payload: unknown, context: RequestContext): Answer {
  const id = readText(payload, 'session_id');
  if (id === undefined) return rejected(context, '`focus-folder` requires `session_id`');
  return okLine({ folder: context.registry.focusFolder(id) });
}
