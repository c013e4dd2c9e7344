import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { openCatalog } from '../../catalog/open-catalog.ts';
import { renderPick } from '../../cli/commands/catalog/pick-frame.ts';
import {
  addEntry,
  applyPickKey,
  initialPickModel,
  searchModel,
  toEntry,
} from '../../cli/commands/catalog/pick-model.ts';
import { createPaint } from '../../cli/view/paint.ts';
import { makeHome } from './catalog-home.ts';
import {
  type Benchmark,
  boundResult,
  inTurns,
  type Result,
  ratioResult,
  summarize,
  timed,
} from './measure.ts';

const CLI = path.join(
  process.env.OMNI_DEV_BUILD_DIR ?? path.join(import.meta.dirname, '../../dist'),
  'omni-dev.cjs',
);
const SIZE = { transcripts: 10_000, transcriptBytes: 500_000, rollouts: 5_000 };
const RUNS = 9;
const MB = 1024 * 1024;

/** Loaded before a command: says on its standard error how much memory the process ever held. */
const PEAK =
  "process.on('exit', () => process.stderr.write('PEAK ' + process.resourceUsage().maxRSS + ' '));";

class Home {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'bench-catalog-'));
  readonly peak = path.join(this.dir, 'peak.cjs');
  readonly cache = path.join(this.dir, 'cache');

  constructor() {
    makeHome(this.dir, SIZE, Date.now());
    writeFileSync(this.peak, PEAK);
  }

  /** Runs Node to its end; resolves with what it wrote on standard error. */
  node(args: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, HOME: this.dir, XDG_CACHE_HOME: this.cache };
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString();
      });
      child.on('error', reject);
      child.on('close', (code) => (code === 0 ? resolve(errors) : reject(new Error(errors))));
    });
  }

  find(...words: string[]): Promise<string> {
    return this.node(['--require', this.peak, CLI, 'sessions', 'find', ...words]);
  }

  /** The catalog of this home, in this process. */
  open(): Promise<Catalog> {
    const env = { XDG_CACHE_HOME: this.cache };
    return openCatalog({
      around: { env, platform: process.platform, home: this.dir, uid: process.getuid?.() ?? 0 },
      config: { workspaceRoots: [], workRefRules: undefined, cache: true },
      wall: Date.now,
      socket: path.join(this.dir, 'none.sock'),
    });
  }

  forget(): void {
    rmSync(this.cache, { recursive: true, force: true });
  }
}

/** The least any listing of the same files does: their names, and one stat each. */
function walk(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = `${folder}/${name}`;
    if (name.endsWith('.jsonl')) statSync(file);
    else walk(file);
  }
}

async function pages(home: Home): Promise<Result[]> {
  const baseline = () =>
    timed(async () => {
      walk(`${home.dir}/.claude/projects`);
      walk(`${home.dir}/.codex/sessions`);
    });
  const page = () =>
    timed(async () => {
      const catalog = await home.open();
      await catalog.find({ words: [] }, 20);
      catalog.save();
    });
  const fresh = () => {
    home.forget();
    return page();
  };
  const [cold, coldWalk] = await inTurns(RUNS, fresh, baseline);
  const [warm, warmWalk] = await inTurns(RUNS, page, baseline);
  const command = await inTurns(
    RUNS,
    () => timed(() => home.find()),
    () => timed(() => home.node([CLI, '--version'])),
  );
  const peak = Number(/PEAK (\d+)/.exec(await home.find())?.[1]) / 1024;
  return [
    boundResult('first page, cold', 'ms', cold, 1_000),
    ratioResult('first page, cold, to a bare walk', 'ms', cold, coldWalk, { most: 3 }),
    boundResult('first page, warm', 'ms', warm, 150),
    ratioResult('first page, warm, to a bare walk', 'ms', warm, warmWalk, { most: 1.5 }),
    ratioResult('sessions find, to omni-dev --version', 'ms', ...command, { most: 4 }),
    boundResult('sessions find: most memory held', 'MB', peak, 150),
  ];
}

async function words(home: Home): Promise<Result[]> {
  home.forget();
  const cold = await timed(() => home.find('parser', 'window'));
  const peak = Number(/PEAK (\d+)/.exec(await home.find('parser', 'window'))?.[1]) / 1024;
  const warm = summarize(await repeat(5, () => timed(() => home.find('parser', 'window'))));
  return [
    boundResult('search of everything, cold: whole command', 'ms', cold, 15_000, 'opens every file once'),
    boundResult('search of everything, warm: whole command', 'ms', warm, 2_000),
    boundResult('search of everything: most memory held', 'MB', peak, 250),
  ];
}

async function keystrokes(home: Home): Promise<Result[]> {
  const catalog = await home.open();
  const model = initialPickModel('', 0);
  for await (const { session } of catalog.walk({})) addEntry(model, toEntry(session));
  const frame = { columns: 120, rows: 40, paint: createPaint(false), now: Date.now() };
  const times: number[] = [];
  for (const key of [
    ...'parser window transcript',
    ...Array<string>(24).fill('backspace'),
    ...'number 4711',
    'down',
  ]) {
    const began = performance.now();
    if (applyPickKey(model, key, 30) === 'search') searchModel(model);
    renderPick(model, frame);
    times.push(performance.now() - began);
  }
  const sample = summarize(times);
  return [
    boundResult(
      `pick: key to screen, ${model.entries.length} sessions`,
      'ms',
      sample.p99,
      50,
      'slowest of all keys',
    ),
  ];
}

async function repeat(runs: number, once: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let run = 0; run < runs; run += 1) values.push(await once());
  return values;
}

export const benchmark: Benchmark = {
  name: 'catalog',
  about: `${SIZE.transcripts} transcripts (${(SIZE.transcripts * SIZE.transcriptBytes) / MB / 1024} GiB, sparse), ${SIZE.rollouts} rollouts`,
  async run() {
    const home = new Home();
    try {
      return [...(await pages(home)), ...(await words(home)), ...(await keystrokes(home))];
    } finally {
      rmSync(home.dir, { recursive: true, force: true });
    }
  },
};
