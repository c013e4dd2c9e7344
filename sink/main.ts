import { readlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { rfc3339 } from '../contract/clock.ts';
import type { Stamp } from '../contract/messages.ts';
import { resolvePaths } from '../contract/paths.ts';
import { currentSurroundings } from '../contract/surroundings.ts';
import { deliverHook } from './deliver.ts';
import { hookDiagnostics } from './diagnostics.ts';
import { readSinkOptions } from './options.ts';
import { StandardInput } from './standard-input.ts';

/** Everything together takes at most this long, and this long for the events at which the agent waits for its end. */
const TOTAL_MS = 2_000;
const ENDING_MS = 1_000;
/** What is kept back of the time for the last send. */
const LAST_MOMENT_MS = 50;
/** Input that has not ended by then is taken as it is: a whole event is journaled, a part of one is nothing. */
const INPUT_MS = TOTAL_MS - 2 * LAST_MOMENT_MS;

/** Pid namespace of this process on Linux: a pid means nothing outside it. */
function pidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** Milliseconds since this process started, whatever the wall clock did. `performance` would take one to load. */
function runMs(): number {
  return process.uptime() * 1000;
}

/** The stamp of this event: made when the process started, since asynchronous hooks finish in any order. */
function makeStamp(): Stamp {
  const startedMs = Date.now() - Math.floor(runMs());
  const nanoseconds = BigInt(startedMs) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  return { ts: rfc3339(startedMs), seq: `${process.pid}-${nanoseconds}` };
}

/** Agents give a pipe or a socket. Opened as such, it spares the time in which process.stdin finds out what it is. */
function standardInput(): NodeJS.ReadableStream {
  try {
    return new Socket({ fd: 0, readable: true, writable: false });
  } catch {
    return process.stdin;
  }
}

/**
 * Nobody has to listen. Node opens stderr at the first line, and does not wait where a pipe is full: a plain write would
 * wait for its reader, and no signal could end it.
 */
function sayOnStderr(line: string): void {
  process.stderr.on('error', () => {}).write(line);
}

async function sink(argv: readonly string[]): Promise<void> {
  const { agent, socket } = readSinkOptions(argv);
  const stamp = makeStamp();
  const input = new StandardInput(standardInput());
  setTimeout(() => input.cutOff(), INPUT_MS);
  await deliverHook(await input.whole, {
    agent,
    env: process.env,
    parent: process.ppid,
    pidNamespace: pidNamespace(),
    stamp,
    paths: resolvePaths(currentSurroundings(), socket),
    limitMs: (ending) => Math.max(LAST_MOMENT_MS, (ending ? ENDING_MS : TOTAL_MS) - runMs()),
    report: hookDiagnostics(process.env.RUST_LOG, sayOnStderr),
  });
}

/**
 * The hook sink. Claude Code and Codex run it, not people: it reads one hook event from standard input, journals it,
 * tells the daemon, and exits 0 with nothing on standard output, whatever happens. An output could decide a permission
 * prompt, another status could fail a turn.
 *
 * @param argv the arguments after `sessions hook`.
 */
export function run(argv: readonly string[]): void {
  const leave = () => process.exit(0);
  process.on('uncaughtException', leave);
  process.on('unhandledRejection', leave);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGPIPE'] as const) process.on(signal, leave);
  sink(argv).then(leave, leave);
}

if (typeof require !== 'undefined' && require.main === module) {
  const argv = process.argv.slice(2);
  run(argv[0] === 'sessions' && argv[1] === 'hook' ? argv.slice(2) : argv);
}
