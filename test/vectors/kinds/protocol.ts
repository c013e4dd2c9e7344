import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { expect } from 'vitest';
import { resolvePaths, socketPathProblem } from '../../../contract/paths.ts';
import { Subscription } from '../../../contract/subscription.ts';
import { streamTickSeconds } from '../../../daemon-lite/server/stream-tick.ts';
import { DaemonProcess } from '../../daemon-lite/support/daemon-process.ts';
import { ThrowAwayHome } from '../../daemon-lite/support/throw-away.ts';
import { until } from '../../support/until.ts';
import type { CaseRunner, KindRunners, VectorCase } from '../load.ts';
import { bytesOf, type Piece } from './protocol/bytes.ts';
import { exchange } from './protocol/exchange.ts';

const client: CaseRunner = async (testCase) => {
  const home = new ThrowAwayHome();
  const socket = home.path('s.sock');
  const lines = testCase.server_sends as string[];
  const expected = testCase.expect as ClientExpectation;
  const written: string[] = [];
  let connections = 0;
  const open = new Set<net.Socket>();
  const server = net.createServer((connection) => {
    connections++;
    open.add(connection);
    let seen = '';
    connection.on('error', () => {});
    connection.on('data', (chunk) => {
      const first = seen === '';
      seen += String(chunk);
      if (connections === 1) written.push(...String(chunk).split('\n').filter(Boolean));
      if (!first) return;
      for (const line of lines) connection.write(`${line}\n`);
      if (testCase.server_keeps_open !== true) connection.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const seen = { snapshots: 0, errors: 0, status: [] as boolean[] };
  const subscription = new Subscription(socket, {
    snapshot: () => {
      seen.snapshots++;
    },
    badFrame: () => {
      seen.errors++;
    },
    connected: (up) => seen.status.push(up),
  });
  try {
    const snapshots = expected.snapshots ?? 1;
    await until(() => connections > 0 && seen.snapshots >= snapshots);
    if (expected.reconnects_min !== undefined)
      await until(() => connections > (expected.reconnects_min ?? 0));
    // A client that reconnected or wrote again would do so within its shortest back-off.
    else await new Promise((resolve) => setTimeout(resolve, 900));
    checkClient(expected, { ...seen, reconnects: connections - 1, written });
  } finally {
    subscription.close();
    for (const connection of open) connection.destroy();
    await new Promise((resolve) => server.close(resolve));
    home.remove();
  }
};

interface ClientExpectation {
  snapshots?: number;
  errors_min?: number;
  reconnects?: number;
  reconnects_min?: number;
  status_sequence_prefix?: boolean[];
  lines_written?: string[];
}

interface ClientSeen {
  snapshots: number;
  errors: number;
  reconnects: number;
  status: boolean[];
  written: string[];
}

function checkClient(expected: ClientExpectation, seen: ClientSeen): void {
  if (expected.snapshots !== undefined) expect(seen.snapshots).toBe(expected.snapshots);
  if (expected.errors_min !== undefined) expect(seen.errors).toBeGreaterThanOrEqual(expected.errors_min);
  if (expected.reconnects !== undefined) expect(seen.reconnects).toBe(expected.reconnects);
  if (expected.reconnects_min !== undefined)
    expect(seen.reconnects).toBeGreaterThanOrEqual(expected.reconnects_min);
  const prefix = expected.status_sequence_prefix;
  if (prefix !== undefined) expect(seen.status.slice(0, prefix.length)).toEqual(prefix);
  if (expected.lines_written !== undefined)
    expect(seen.written.map((line) => JSON.parse(line) as unknown)).toEqual(
      expected.lines_written.map((line) => JSON.parse(line) as unknown),
    );
}

const socketPath: CaseRunner = (testCase) => {
  const paths = resolvePaths({
    env: testCase.env as Record<string, string>,
    platform: testCase.platform as NodeJS.Platform,
    home: testCase.home as string,
    uid: 1000,
  });
  expect(paths.socket).toBe(testCase.expect);
};

const socketPathLength: CaseRunner = (testCase) => {
  const problem = socketPathProblem(bytesOf(testCase.path as Piece[]).toString('utf8'));
  expect(problem === undefined).toBe(testCase.accepted);
  for (const part of (testCase.error_contains ?? []) as string[]) expect(problem).toContain(part);
};

const streamTick: CaseRunner = (testCase) => {
  const value = testCase.env_value as string | null;
  expect(streamTickSeconds(value ?? undefined)).toBe(testCase.expect_seconds);
};

const singleInstance: CaseRunner = async (testCase) => {
  const home = new ThrowAwayHome();
  const { socket } = resolvePaths(home.around());
  const processes: DaemonProcess[] = [];
  const start = () => {
    const started = new DaemonProcess({ env: home.env() });
    processes.push(started);
    return started;
  };
  try {
    await prepareSocketPath(testCase, socket, start);
    const daemon = start();
    const outcome = await daemon.settled(socket);
    const expected = testCase.expect as InstanceExpectation;
    expect(outcome).toBe(expected.starts ? 'serving' : 'failed');
    for (const part of expected.error_contains ?? []) expect(daemon.stderr).toContain(part);
    if (expected.socket_mode !== undefined) expect(modeOf(socket)).toBe(expected.socket_mode);
    if (expected.dir_mode !== undefined) expect(modeOf(path.dirname(socket))).toBe(expected.dir_mode);
  } finally {
    for (const started of processes) await started.remove();
    home.remove();
  }
};

interface InstanceExpectation {
  starts: boolean;
  error_contains?: string[];
  socket_mode?: string;
  dir_mode?: string;
}

/** Brings the socket path into the state that the case names, in whatever words. */
async function prepareSocketPath(
  testCase: VectorCase,
  socket: string,
  start: () => DaemonProcess,
): Promise<void> {
  const before = String(testCase.before);
  const says = (...words: string[]) => words.some((word) => before.includes(word));
  if (says('stale', 'dead', 'killed', 'left')) {
    const dead = start();
    await dead.settled(socket);
    await dead.remove();
    expect(existsSync(socket)).toBe(true);
  } else if (says('live', 'running', 'busy', 'stopped', 'wedged', 'hung')) {
    const daemon = start();
    expect(await daemon.settled(socket)).toBe('serving');
    if (!says('live', 'running')) daemon.child.kill('SIGSTOP');
  } else if (says('file', 'link', 'directory')) {
    mkdirSync(path.dirname(socket), { recursive: true, mode: 0o700 });
    if (says('directory')) mkdirSync(socket);
    else if (says('link')) symlinkSync('/nonexistent/socket', socket);
    else writeFileSync(socket, says('empty') ? '' : 'not a socket');
  } else if (!says('nothing', 'absent', 'fresh')) {
    throw new Error(`unknown state of the socket path: ${before}`);
  }
}

function modeOf(file: string): string {
  return (statSync(file).mode & 0o7777).toString(8).padStart(4, '0');
}

const signal: CaseRunner = async (testCase) => {
  const home = new ThrowAwayHome();
  const { socket } = resolvePaths(home.around());
  const daemon = new DaemonProcess({ env: home.env() });
  try {
    expect(await daemon.settled(socket)).toBe('serving');
    daemon.child.kill(testCase.signal as NodeJS.Signals);
    const expected = testCase.expect as { exit_code: number; socket_removed: boolean };
    expect(await daemon.exited).toBe(expected.exit_code);
    expect(!existsSync(socket)).toBe(expected.socket_removed);
  } finally {
    await daemon.remove();
    home.remove();
  }
};

export const kinds: KindRunners = {
  exchange,
  client,
  socket_path: socketPath,
  socket_path_length: socketPathLength,
  stream_tick: streamTick,
  single_instance: singleInstance,
  signal,
};
