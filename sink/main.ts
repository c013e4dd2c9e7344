import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { sendRequest, TransportError } from '../contract/client.ts';
import { rfc3339 } from '../contract/clock.ts';
import type { EndPayload, ObservePayload, Stamp } from '../contract/messages.ts';
import { sessionsRequest } from '../contract/messages.ts';
import { resolvePaths } from '../contract/paths.ts';
import { currentSurroundings } from '../contract/surroundings.ts';
import { claudePid, type HookOperation, mapClaudeHook } from './claude-mapping.ts';
import { mapCodexHook } from './codex-mapping.ts';
import { hookDiagnostics } from './diagnostics.ts';
import { readHookPayload } from './hook-payload.ts';
import { appendToJournal } from './journal-file.ts';
import { journalLine, journalPath } from './journal-record.ts';
import { readSinkOptions, type SinkOptions } from './options.ts';
import { readStandardInput } from './standard-input.ts';

/** Everything together takes at most this long, and this long for the events at which the agent waits for its end. */
const TOTAL_MS = 2_000;
const ENDING_MS = 1_000;
const ENDING_EVENTS: ReadonlySet<string> = new Set(['SessionEnd', 'Interrupt']);
/** A journaled event is safe and its request is in the kernel's hands: no reason to make the agent wait for a reply. */
const JOURNALED_REPLY_MS = 300;

const report = hookDiagnostics(process.env.RUST_LOG, (line) => process.stderr.write(line));

/** Pid namespace of this process on Linux: a pid means nothing outside it. */
function pidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** The stamp of this event: made when the process started, since asynchronous hooks finish in any order. */
function makeStamp(): Stamp {
  const startedMs = performance.timeOrigin;
  const nanoseconds = BigInt(Math.floor(startedMs)) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  return { ts: rfc3339(Math.floor(startedMs)), seq: `${process.pid}-${nanoseconds}` };
}

/** Completes an operation with what the sink knows: who speaks, when, and from which process. */
function complete(operation: HookOperation, options: SinkOptions, stamp: Stamp): HookOperation {
  const pid = claudePid(options.agent === 'codex' ? {} : process.env, process.ppid);
  const payload: ObservePayload | EndPayload = operation.payload;
  if (pid !== undefined) payload.pid = pid;
  const namespace = pid === undefined ? undefined : pidNamespace();
  if (namespace !== undefined) payload.pid_ns = namespace;
  payload.stamp = stamp;
  payload.feed = 'hook';
  if (operation.op === 'observe' && options.agent !== 'claude') operation.payload.agent = options.agent;
  return operation;
}

async function post(socket: string, operation: HookOperation, timeoutMs: number): Promise<string> {
  try {
    const reply = await sendRequest(socket, sessionsRequest(operation.op, operation.payload), { timeoutMs });
    return reply.ok ? 'delivered' : 'daemon_rejected';
  } catch (error) {
    const timedOut = error instanceof TransportError && error.code === 'DAEMON_TIMEOUT';
    return timedOut ? 'timeout' : 'transport_failed';
  }
}

async function sink(argv: readonly string[], remaining: (limitMs: number) => number): Promise<void> {
  const options = readSinkOptions(argv);
  const stamp = makeStamp();
  const input = await readStandardInput(process.stdin);
  const payload = input === undefined ? 'too_long' : readHookPayload(input);
  if (typeof payload === 'string') return report('session_hook_skipped', { reason: payload });
  const { hook_event_name: hook, session_id } = payload;
  const mapped = options.agent === 'codex' ? mapCodexHook(payload.raw) : mapClaudeHook(payload);
  if (mapped === undefined) return report('session_hook_skipped', { reason: 'event', hook });
  const operation = complete(mapped, options, stamp);
  const paths = resolvePaths(currentSurroundings(), options.socket);
  const file = journalPath(options.agent, session_id);
  const line = journalLine(options.agent, operation, stamp);
  const journaled =
    file === undefined
      ? 'not_journaled'
      : appendToJournal(path.join(paths.journalsDir, file), line, Date.now());
  report('session_hook_journal', { session_id, outcome: journaled });
  const limit = remaining(ENDING_EVENTS.has(hook) ? ENDING_MS : TOTAL_MS);
  const outcome = await post(
    paths.socket,
    operation,
    journaled === 'journaled' ? Math.min(limit, JOURNALED_REPLY_MS) : limit,
  );
  report('session_hook_report', { session_id, op: operation.op, hook, outcome });
}

/**
 * The hook sink. Claude Code and Codex run it, not people: it reads one hook event from standard input, journals it,
 * tells the daemon, and exits 0 with nothing on standard output, whatever happens. An output could decide a permission
 * prompt, another status could fail a turn.
 *
 * @param argv the arguments after `sessions hook`.
 */
export function run(argv: readonly string[]): void {
  const started = Date.now() - Math.floor(performance.now());
  const leave = () => process.exit(0);
  process.on('uncaughtException', leave);
  process.on('unhandledRejection', leave);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGPIPE'] as const) process.on(signal, leave);
  process.stderr.on('error', () => {});
  setTimeout(leave, TOTAL_MS);
  sink(argv, (limitMs) => Math.max(50, limitMs - (Date.now() - started))).then(leave, leave);
}

if (typeof require !== 'undefined' && require.main === module) {
  const argv = process.argv.slice(2);
  run(argv[0] === 'sessions' && argv[1] === 'hook' ? argv.slice(2) : argv);
}
