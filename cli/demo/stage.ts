import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import type { CliContext } from '../context.ts';
import { PrivateDaemon } from '../stage/private-daemon.ts';
import { keptVariables } from '../stage/throw-away-home.ts';
import { DEMO_CAPTURES } from './captures.ts';
import type { DemoStage } from './host.ts';

/** What the demo's processes get of the environment: nothing that leads to the person's own sessions. */
const KEPT_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** A daemon of the demo's own in a private folder, and the folders its sessions run in. */
export class DemoTheatre {
  readonly stage: DemoStage;
  readonly #dir: string;
  readonly #daemon: PrivateDaemon;
  readonly #ended = new AbortController();

  private constructor(dir: string, daemon: PrivateDaemon, stage: Omit<DemoStage, 'signal'>) {
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
    const { programsDir } = context;
    const command = [
      process.execPath,
      path.join(programsDir, 'daemon.cjs'),
      'run',
      '--socket',
      socket,
    ] as const;
    const daemon = await PrivateDaemon.start({ command, socket, env });
    if (daemon !== undefined) return new DemoTheatre(dir, daemon, { programsDir, socket, home, env, speed });
    rmSync(dir, { recursive: true, force: true });
    throw new OmniDevError('DEMO_FAILED', `the demo's daemon did not start; run: omni-dev daemon run`);
  }

  /** Ends every process of the demo and removes its folder. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#daemon.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

function demoEnvironment(context: CliContext, home: string): NodeJS.ProcessEnv {
  const kept = keptVariables(context.around, KEPT_VARIABLES);
  return { ...kept, HOME: home, OMNI_DEV_NO_AUTOSTART: '1' };
}

/** Enough of a repository for the daemon to name it. */
function makeRepository(folder: string): void {
  const git = path.join(folder, '.git');
  for (const part of ['objects', 'refs']) mkdirSync(path.join(git, part), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(git, 'HEAD'), 'ref: refs/heads/main\n');
}
