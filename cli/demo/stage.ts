import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest } from '../../contract/client.ts';
import { OmniDevError } from '../../contract/errors.ts';
import type { CliContext } from '../context.ts';
import { DEMO_CAPTURES } from './captures.ts';
import type { DemoStage } from './host.ts';

const READY_MS = 10_000;
const POLL_MS = 50;
const STOP_MS = 3_000;

/** What the demo's processes get of the environment: nothing that leads to the person's own sessions. */
const KEPT_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** A daemon of the demo's own in a private folder, and the folders its sessions run in. */
export class DemoTheatre {
  readonly stage: DemoStage;
  readonly #dir: string;
  readonly #daemon: ChildProcess;
  readonly #ended = new AbortController();

  private constructor(dir: string, daemon: ChildProcess, stage: Omit<DemoStage, 'signal'>) {
    this.#dir = dir;
    this.#daemon = daemon;
    this.stage = { ...stage, signal: this.#ended.signal };
  }

  /** @throws OmniDevError DEMO_FAILED when the demo's daemon does not come up */
  static async open(context: CliContext, speed: number): Promise<DemoTheatre> {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-demo-'));
    const home = path.join(dir, 'home');
    for (const { folder } of DEMO_CAPTURES) makeRepository(path.join(home, folder));
    const env = demoEnvironment(context, home);
    const socket = path.join(dir, 'd.sock');
    const daemon = spawn(
      process.execPath,
      [path.join(context.programsDir, 'daemon.cjs'), 'run', '--socket', socket],
      {
        env,
        stdio: 'ignore',
      },
    );
    const { programsDir } = context;
    const theatre = new DemoTheatre(dir, daemon, { programsDir, socket, home, env, speed });
    if (await isReady(daemon, socket)) return theatre;
    await theatre.close();
    throw new OmniDevError('DEMO_FAILED', `the demo's daemon did not start; run: omni-dev daemon run`);
  }

  /** Ends every process of the demo and removes its folder. */
  async close(): Promise<void> {
    this.#ended.abort();
    await stopProcess(this.#daemon);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

function demoEnvironment(context: CliContext, home: string): NodeJS.ProcessEnv {
  const kept = KEPT_VARIABLES.flatMap((name) => {
    const value = context.around.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), HOME: home, OMNI_DEV_NO_AUTOSTART: '1' };
}

/** Enough of a repository for the daemon to name it. */
function makeRepository(folder: string): void {
  const git = path.join(folder, '.git');
  for (const part of ['objects', 'refs']) mkdirSync(path.join(git, part), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(git, 'HEAD'), 'ref: refs/heads/main\n');
}

async function isReady(daemon: ChildProcess, socket: string): Promise<boolean> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline && daemon.exitCode === null) {
    const answered = await sendRequest(socket, { op: 'ping' }).then(
      () => true,
      () => false,
    );
    if (answered) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(force);
}
