import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { encodeRequest } from '../../contract/client.ts';
import { sessionsRequest } from '../../contract/messages.ts';
import { type Benchmark, boundResult, overResult, type Result, ratioResult, summarize } from './measure.ts';
import { PipelinedClient } from './pipelined-client.ts';
import { fixture } from './programs.ts';
import { SnapshotStream } from './snapshot-stream.ts';
import { residentMegabytes, ThrowawayDaemon } from './throwaway-daemon.ts';

const SESSIONS = 512;
const SUBSCRIBERS = 20;
const CONNECTIONS = 8;
const DEPTH = 8;
const ROUNDS = 15;
const REQUESTS_A_ROUND = 8_000;
const CHANGES = 1_000;
/** Between two changes: longer than the daemon rests after a large frame, shorter than people act. */
const PAUSE_MS = 30;
const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const uuid = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

/** Observations by turns for all sessions, each a change of state. */
function changes(): () => string {
  let count = 0;
  return () => {
    const session = count % SESSIONS;
    const event = Math.floor(count / SESSIONS) % 2 === 0 ? 'user_prompt_submit' : 'stop';
    count += 1;
    return encodeRequest(sessionsRequest('observe', { session_id: uuid(session), event, cwd: '/' }));
  };
}

async function program(name: 'echo-server' | 'idle', socket: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fixture(name), socket], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

/** Requests per second over all connections. */
async function requestRate(clients: readonly PipelinedClient[], next: () => string): Promise<number> {
  const started = performance.now();
  await Promise.all(clients.map((client) => client.run(REQUESTS_A_ROUND / clients.length, DEPTH, next)));
  return (REQUESTS_A_ROUND / (performance.now() - started)) * 1_000;
}

async function throughput(daemon: ThrowawayDaemon): Promise<Result> {
  const socket = path.join(daemon.home, 'echo.sock');
  const echo = await program('echo-server', socket);
  const connect = (to: string) => Array.from({ length: CONNECTIONS }, () => new PipelinedClient(to));
  const [ours, bare] = [connect(daemon.paths.socket), connect(socket)];
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  const next = changes();
  for (let round = -1; round < ROUNDS; round += 1) {
    const [base, figure] = [await requestRate(bare, next), await requestRate(ours, next)];
    if (round < 0) continue;
    rates.bare.push(base);
    rates.ours.push(figure);
  }
  for (const client of [...ours, ...bare]) client.close();
  echo.kill('SIGKILL');
  const name = `server: observations, ${SESSIONS} sessions, ${CONNECTIONS * DEPTH} under way`;
  return ratioResult(name, 'requests/s', summarize(rates.ours), summarize(rates.bare), { least: 0.5 });
}

/** Milliseconds from a report's write to the frame that shows it, one change at a time, in a list of this length. */
async function untilFrame(daemon: ThrowawayDaemon, sessions: number): Promise<Result[]> {
  const client = new PipelinedClient(daemon.paths.socket);
  await client.run(sessions, DEPTH, changes());
  const stream = new SnapshotStream(daemon.paths.socket);
  await stream.opened;
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const state = change % 2 === 0 ? 'working' : 'idle';
    const payload = { session_id: uuid(1), event: { stream_state: state }, feed: 'claude_stream' } as const;
    const shown = stream.shows(uuid(1), state);
    const started = performance.now();
    await client.run(1, 1, () => encodeRequest(sessionsRequest('observe', payload)));
    await shown;
    times.push(performance.now() - started);
    await sleep(PAUSE_MS);
  }
  client.close();
  stream.close();
  const { median, p99 } = summarize(times);
  return [
    boundResult(`server: change to frame p50, ${sessions} sessions`, 'ms', median, 20),
    boundResult(`server: change to frame p99, ${sessions} sessions`, 'ms', p99, 20),
  ];
}

async function memory(daemon: ThrowawayDaemon): Promise<Result[]> {
  const idle = await program('idle', path.join(daemon.home, 'idle.sock'));
  const streams = Array.from({ length: SUBSCRIBERS }, () => new SnapshotStream(daemon.paths.socket));
  await Promise.all(streams.map(({ opened }) => opened));
  const client = new PipelinedClient(daemon.paths.socket);
  const next = changes();
  await client.run(SESSIONS * 2, 1, next);
  await sleep(3_000);
  const [full, bare] = [residentMegabytes(daemon.pid), residentMegabytes(idle.pid ?? 0)];
  for (const stream of streams) stream.close();
  await client.run(EVENTS / 10, DEPTH, next);
  const early = residentMegabytes(daemon.pid);
  await client.run(EVENTS - EVENTS / 10, DEPTH, next);
  const late = residentMegabytes(daemon.pid);
  client.close();
  idle.kill('SIGKILL');
  return [
    overResult(`server: memory, ${SESSIONS} sessions, ${SUBSCRIBERS} subscribers`, 'MB', full, bare, 25),
    overResult(`server: memory after ${EVENTS} events, over a tenth of them`, 'MB', late, early, 5),
  ];
}

async function onItsOwn<T>(run: (daemon: ThrowawayDaemon) => Promise<T>): Promise<T> {
  const daemon = new ThrowawayDaemon();
  try {
    await daemon.start();
    return await run(daemon);
  } finally {
    await daemon.remove();
  }
}

export const benchmark: Benchmark = {
  name: 'server',
  about: 'registry and socket server against a bare server of JSON lines',
  async run() {
    return [
      await onItsOwn(throughput),
      ...(await onItsOwn((daemon) => untilFrame(daemon, 10))),
      ...(await onItsOwn((daemon) => untilFrame(daemon, SESSIONS))),
      ...(await onItsOwn(memory)),
    ];
  },
};
