import {
  type Benchmark,
  inTurns,
  overResult,
  type Result,
  ratioResult,
  type Sample,
  summarize,
} from './measure.ts';
import { built, fixture } from './programs.ts';
import { type Between, type Flood, flood, PacedSource, untilFirstByte } from './relayed-source.ts';
import { ThrowawayDaemon } from './throwaway-daemon.ts';

const MEGABYTES = Number(process.env.BENCH_MEGABYTES ?? 256);
const START_RUNS = 31;
const FLOOD_RUNS = 5;
const LINES = 4_000;
const FIRST_LINE =
  '{"type":"system","subtype":"init","cwd":"/","session_id":"00000000-0000-4000-8000-0000000000ab","model":"m"}';

const RELAY: Between = [fixture('bare-relay')];
const WRAPPER: Between = [built('claude-wrap'), '--'];

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a run needs, and how it is called in the table. */
interface Scene {
  env: NodeJS.ProcessEnv;
  name: string;
}

async function startUp({ env, name }: Scene): Promise<Result> {
  const [figure, baseline] = await inTurns(
    START_RUNS,
    () => untilFirstByte(WRAPPER, env, FIRST_LINE),
    () => untilFirstByte(RELAY, env, FIRST_LINE),
  );
  return ratioResult(`wrapper: start to the child's first byte, ${name}`, 'ms', figure, baseline, {
    most: 1.3,
  });
}

async function floods({ env, name }: Scene): Promise<Result[]> {
  const bytes = MEGABYTES * 2 ** 20;
  const ours: Flood[] = [];
  const bare: Flood[] = [];
  for (let run = 0; run < FLOOD_RUNS; run += 1) {
    bare.push(await flood(RELAY, env, bytes));
    ours.push(await flood(WRAPPER, env, bytes));
  }
  const speed = (runs: Flood[]) => summarize(runs.map((run) => run.megabytesPerSecond));
  const memory = (runs: Flood[]) => summarize(runs.map((run) => run.residentMegabytes)).median;
  return [
    ratioResult(`wrapper: throughput of ${MEGABYTES} MB, ${name}`, 'MB/s', speed(ours), speed(bare), {
      least: 0.9,
    }),
    overResult(`wrapper: memory after ${MEGABYTES} MB, ${name}`, 'MB', memory(ours), memory(bare), 6),
  ];
}

/** Lines pass one at a time, by turns through the wrapper and through the relay. */
async function latencies({ env, name }: Scene): Promise<Result[]> {
  const relay = new PacedSource(RELAY, env);
  const wrapper = new PacedSource(WRAPPER, env);
  const bare: number[] = [];
  const ours: number[] = [];
  for (let line = -LINES / 10; line < LINES; line += 1) {
    const [through, around] = [await wrapper.next(), await relay.next()];
    if (line >= 0) {
      ours.push(through);
      bare.push(around);
    }
    await sleep(1);
  }
  await Promise.all([relay.close(), wrapper.close()]);
  const [figure, baseline]: [Sample, Sample] = [summarize(ours), summarize(bare)];
  return [
    overResult(`wrapper: a line's latency p50, ${name}`, 'ms', figure.median, baseline.median, 0.3),
    overResult(`wrapper: a line's latency p99, ${name}`, 'ms', figure.p99, baseline.p99, 2),
  ];
}

async function allOf(scene: Scene): Promise<Result[]> {
  return [await startUp(scene), ...(await latencies(scene)), ...(await floods(scene))];
}

export const benchmark: Benchmark = {
  name: 'wrapper',
  about: 'claude-wrap against the barest relay in Node, daemon up and down',
  async run() {
    const daemon = new ThrowawayDaemon();
    const env = { ...daemon.env, OMNI_DEV_NO_AUTOSTART: '1' };
    try {
      await daemon.start();
      const up = await allOf({ env, name: 'daemon up' });
      await daemon.stop();
      return [...up, ...(await allOf({ env, name: 'daemon down' }))];
    } finally {
      await daemon.remove();
    }
  },
};
