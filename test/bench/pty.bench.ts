import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PtyLauncher, type PtyProcess } from '../../wrappers/pty/pty-process.ts';
import { type Benchmark, boundResult, overResult, type Result, ratioResult, summarize } from './measure.ts';
import { built } from './programs.ts';
import { residentMegabytes, ThrowawayDaemon } from './throwaway-daemon.ts';

const KEYS = 3_000;
const MEGABYTES = Number(process.env.BENCH_MEGABYTES ?? 200);
const FLOODS = 5;
const STALL_MS = 10_000;
const SETTLED_MS = 3_000;

const fixture = (name: string) => path.join(import.meta.dirname, 'programs', `${name}.cjs`);
const WRAPPER = [process.execPath, built('claude-wrap'), '--pty', '--'];
const RELAY = [process.execPath, fixture('bare-pty-relay')];
/** Coloured lines, as much as is wanted. */
const flood = (bytes: number) =>
  `yes "$(printf '\\033[32mgreen\\033[0m and then the rest of a line of ordinary text')" | head -c ${bytes}`;

/** Starts programs on terminals of this process. */
class Terminals {
  readonly #launcher = new PtyLauncher(fixture('bare-pty-relay'));
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  start([file = '', ...args]: readonly string[]): PtyProcess {
    return this.#launcher.start(file, args, { columns: 100, rows: 30 }, this.#env);
  }
}

async function finish(program: PtyProcess, signal?: NodeJS.Signals): Promise<void> {
  if (signal !== undefined) program.kill(signal);
  program.stream.resume();
  await program.exited;
  program.takeRest();
  program.stream.destroy();
}

const answered = (program: PtyProcess) => new Promise((resolve) => program.stream.once('data', resolve));

/** Milliseconds from a key to its echo. */
async function press(program: PtyProcess): Promise<number> {
  const echo = answered(program);
  const began = performance.now();
  program.stream.write('k');
  await echo;
  return performance.now() - began;
}

async function echoes(terminals: Terminals): Promise<Result[]> {
  const echo = [process.execPath, fixture('terminal-echo')];
  const [ours, bare] = [terminals.start([...WRAPPER, ...echo]), terminals.start([...RELAY, ...echo])];
  await Promise.all([answered(ours), answered(bare)]);
  const [figures, baselines]: [number[], number[]] = [[], []];
  for (let key = -KEYS / 10; key < KEYS; key += 1) {
    const [through, around] = [await press(ours), await press(bare)];
    if (key >= 0) {
      figures.push(through);
      baselines.push(around);
    }
    await sleep(1);
  }
  await finish(ours, 'SIGTERM');
  await finish(bare, 'SIGTERM');
  const [figure, baseline] = [summarize(figures), summarize(baselines)];
  return [
    overResult('pty: key to echo p50', 'ms', figure.median, baseline.median, 1),
    overResult('pty: key to echo p99', 'ms', figure.p99, baseline.p99, 5),
  ];
}

/** Megabytes per second of a flood, from its first byte on. */
async function speed(program: PtyProcess): Promise<number> {
  let began = 0;
  let bytes = 0;
  program.stream.on('data', (chunk: Buffer) => {
    if (bytes === 0) began = performance.now();
    bytes += chunk.length;
  });
  await program.exited;
  for (const chunk of program.takeRest() ?? []) bytes += chunk.length;
  const seconds = (performance.now() - began) / 1_000;
  program.stream.destroy();
  if (bytes < MEGABYTES * 1e6) throw new Error(`only ${bytes} bytes arrived`);
  return bytes / 1e6 / seconds;
}

async function floods(terminals: Terminals): Promise<Result> {
  const text = flood(MEGABYTES * 1e6);
  const [figures, baselines]: [number[], number[]] = [[], []];
  for (let run = 0; run < FLOODS; run += 1) {
    baselines.push(await speed(terminals.start(['script', '-qc', text, '/dev/null'])));
    figures.push(await speed(terminals.start([...WRAPPER, 'sh', '-c', text])));
  }
  return ratioResult(
    `pty: ${MEGABYTES} MB against script`,
    'MB/s',
    summarize(figures),
    summarize(baselines),
    { least: 0.7 },
  );
}

/** Memory while the terminal takes nothing and the program has endlessly much to say. */
async function stalled(terminals: Terminals): Promise<Result[]> {
  const program = terminals.start([...WRAPPER, 'sh', '-c', flood(1e12)]);
  await answered(program);
  program.stream.pause();
  await sleep(SETTLED_MS);
  const wrapper = program.programPid;
  const early = residentMegabytes(wrapper);
  await sleep(STALL_MS);
  const late = residentMegabytes(wrapper);
  await finish(program, 'SIGTERM');
  return [
    overResult(`pty: memory after ${STALL_MS / 1_000} s of a stalled terminal`, 'MB', late, early, 2),
    boundResult('pty: memory with a stalled terminal', 'MB', late, 100),
  ];
}

export const benchmark: Benchmark = {
  name: 'pty',
  about: 'claude-wrap --pty against node-pty as its readme shows it, and against script(1)',
  async run() {
    const daemon = new ThrowawayDaemon();
    const terminals = new Terminals({ ...daemon.env, OMNI_DEV_NO_AUTOSTART: '1', TERM: 'xterm-256color' });
    try {
      return [...(await echoes(terminals)), await floods(terminals), ...(await stalled(terminals))];
    } finally {
      await daemon.remove();
    }
  },
};
