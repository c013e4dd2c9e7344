import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openWebSocket, type TextTransport } from '../../agents/codex/transport.ts';
import { resolvePaths } from '../../contract/paths.ts';
import { Subscription } from '../../contract/subscription.ts';
import { CODEX_SCRIPTS } from '../lab/codex-model.ts';
import { CodexTerminal } from '../lab/codex-terminal.ts';
import { startMockOpenai } from '../lab/mock-openai.ts';
import { benchCodex, CodexBenchHome } from './codex-bench-home.ts';
import { type Benchmark, boundResult, inTurns, type Result, ratioResult, summarize } from './measure.ts';
import { processorMs, ThrowawayDaemon } from './throwaway-daemon.ts';

const DIST = process.env.OMNI_DEV_DIST ?? path.join(import.meta.dirname, '../../dist');
const WRAPPER = path.join(DIST, 'codex-wrap.cjs');
const DAEMON = path.join(DIST, 'daemon.cjs');
const USABLE = /Ask Codex|\? for shortcuts/;
const START_RUNS = 15;
const IDLE_THREADS = 10;
const WATCH_SECONDS = 60;
const ROLLOUTS = 5_000;
const DAYS = 400;
const WAIT_RUNS = 7;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What somebody would write who wants the same server and interface without us. */
const BY_HAND = `
"$1" app-server --listen "unix://$2" >/dev/null 2>&1 &
server=$!
until [ -S "$2" ]; do sleep 0.01; done
"$1" --remote "unix://$2"
kill $server
wait $server
`;

/** Milliseconds until a program on a terminal shows that it can be used. */
async function untilUsable(home: CodexBenchHome, command: string, args: string[]): Promise<number> {
  const started = performance.now();
  const terminal = new CodexTerminal({ command, args, cwd: home.project, env: home.env() });
  try {
    await terminal.see(USABLE, 60_000);
    const took = performance.now() - started;
    await sleep(1_000);
    await terminal.enter('/exit');
    await terminal.exited;
    return took;
  } finally {
    await terminal.close();
  }
}

async function startUp(codex: string): Promise<Result[]> {
  const home = new CodexBenchHome();
  const socket = path.join(home.root, 's');
  try {
    const [figure, baseline] = await inTurns(
      START_RUNS,
      () => untilUsable(home, process.execPath, [WRAPPER, '--', codex]),
      () => untilUsable(home, '/bin/sh', ['-c', BY_HAND, 'by-hand', codex, socket]),
    );
    return [
      ratioResult('codex: wrapper until the interface is usable', 'ms', figure, baseline, { most: 1.15 }),
    ];
  } finally {
    home.remove();
  }
}

/** Sends requests to a server and waits for each answer; the rest of what it says is passed over. */
async function call(transport: TextTransport, requests: { method: string; params: object }[]): Promise<void> {
  let answered: () => void = () => {};
  transport.listen(
    (text) => {
      const message = JSON.parse(text) as { id?: number; method?: string };
      if (message.id !== undefined && message.method === undefined) answered();
    },
    () => {},
  );
  for (const [id, request] of requests.entries()) {
    const done = new Promise<void>((resolve) => {
      answered = resolve;
    });
    transport.send(JSON.stringify({ id, ...request }));
    await done;
  }
}

async function idleThreads(codex: string): Promise<Result[]> {
  const home = new CodexBenchHome();
  const terminal = new CodexTerminal({
    command: process.execPath,
    args: [WRAPPER, '--', codex],
    cwd: home.project,
    env: home.env(),
  });
  try {
    await terminal.see(USABLE, 60_000);
    await sleep(3_000);
    const link = path.join(home.home, '.local/share/omni-dev', `codex-wrap-${terminal.pid}.sock`);
    const transport = await openWebSocket(realpathSync(link));
    const start = { method: 'thread/start', params: { cwd: home.project } };
    const hello = { clientInfo: { name: 'codex-tui', title: null, version: '0.171.0' }, capabilities: null };
    await call(transport, [
      { method: 'initialize', params: hello },
      // The interface has a thread of its own.
      ...Array.from({ length: IDLE_THREADS - 1 }, () => start),
    ]);
    await sleep(5_000);
    const before = processorMs(terminal.pid);
    await sleep(WATCH_SECONDS * 1_000);
    const share = ((processorMs(terminal.pid) - before) / (WATCH_SECONDS * 1_000)) * 100;
    transport.close();
    const name = `codex: wrapper watching ${IDLE_THREADS} idle threads`;
    return [boundResult(name, '% of a core', share, 0.3)];
  } finally {
    terminal.press('\x03\x03');
    process.kill(terminal.pid, 'SIGTERM');
    await terminal.exited;
    await terminal.close();
    home.remove();
  }
}

function writeRollouts(home: string): void {
  const uuid = (index: number) => `01a22c03-0000-7000-8000-${String(index).padStart(12, '0')}`;
  for (let index = 0; index < ROLLOUTS; index += 1) {
    const at = new Date(Date.now() - (1 + (index % DAYS)) * 86_400_000);
    const day = at.toISOString().slice(0, 10).replaceAll('-', '/');
    const folder = path.join(home, '.codex/sessions', day);
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `rollout-${day.replaceAll('/', '-')}T10-00-00-${uuid(index)}.jsonl`);
    writeFileSync(
      file,
      `${JSON.stringify({ type: 'session_meta', payload: { id: uuid(index), cwd: '/p', source: 'cli' } })}\n`,
    );
    utimesSync(file, at, at);
    utimesSync(folder, at, at);
  }
}

async function oldRollouts(): Promise<Result[]> {
  const daemon = new ThrowawayDaemon();
  writeRollouts(daemon.home);
  mkdirSync(path.join(daemon.home, '.codex/thread-writer-locks'), { recursive: true });
  try {
    await daemon.start();
    await sleep(10_000);
    const before = processorMs(daemon.pid);
    await sleep(WATCH_SECONDS * 1_000);
    const share = ((processorMs(daemon.pid) - before) / (WATCH_SECONDS * 1_000)) * 100;
    return [
      boundResult(`codex: daemon over ${ROLLOUTS} rollouts of ${DAYS} days`, '% of a core', share, 0.5),
    ];
  } finally {
    await daemon.remove();
  }
}

/** How long after the prompt is on the screen a subscriber sees the wait. Less than nothing counts as nothing. */
async function waits(codex: string): Promise<Result[]> {
  const model = await startMockOpenai(CODEX_SCRIPTS);
  const home = new CodexBenchHome(model.url);
  const paths = resolvePaths({
    env: {},
    platform: process.platform,
    home: home.home,
    uid: process.getuid?.() ?? 0,
  });
  const daemon = spawn(process.execPath, [DAEMON, 'run'], { env: home.env(), stdio: 'ignore' });
  const seen: number[] = [];
  let state: string | undefined;
  const subscription = new Subscription(paths.socket, {
    snapshot: ({ sessions }) => {
      state = sessions[0]?.state;
      if (state === 'waiting_for_permission') seen.push(performance.now());
    },
  });
  const becomes = async (wanted: string) => {
    for (const until = performance.now() + 30_000; state !== wanted && performance.now() < until; )
      await sleep(20);
  };
  const terminal = new CodexTerminal({
    command: process.execPath,
    args: [WRAPPER, '--', codex],
    cwd: home.project,
    env: home.env(),
  });
  const delays: number[] = [];
  try {
    await terminal.see(USABLE, 60_000);
    await becomes('idle');
    for (let run = 0; run < WAIT_RUNS; run += 1) {
      seen.length = 0;
      await terminal.enter('ask for approval');
      await terminal.see(/Would you like to run/, 30_000);
      const shown = performance.now();
      while (seen.length === 0 && performance.now() - shown < 10_000) await sleep(5);
      delays.push(Math.max(0, (seen[0] ?? Number.POSITIVE_INFINITY) - shown));
      terminal.press('y');
      await becomes('idle');
      await sleep(1_000);
    }
    return [boundResult('codex: wait seen after its prompt is on the screen', 'ms', summarize(delays), 300)];
  } finally {
    subscription.close();
    process.kill(terminal.pid, 'SIGTERM');
    await terminal.exited;
    await terminal.close();
    daemon.kill('SIGTERM');
    await model.close();
    rmSync(home.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

export const benchmark: Benchmark = {
  name: 'codex',
  about: 'what the Codex wrapper and feeds cost, with the real Codex where it is installed',
  run: async () => {
    const codex = benchCodex();
    if (codex === undefined) {
      process.stderr.write('NOT RUN: codex is not installed (node test/lab/install-agents.mjs codex)\n');
      return oldRollouts();
    }
    const results: Result[] = [];
    for (const measure of [startUp, waits, idleThreads, oldRollouts]) {
      results.push(...(await measure(codex)));
      process.stderr.write(`${JSON.stringify(results.at(-1))}\n`);
    }
    return results;
  },
};
