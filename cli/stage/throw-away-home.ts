import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Paths, resolvePaths, type Surroundings } from '../../contract/paths.ts';

/** What programs in a throw-away home get of the environment: nothing that leads to the person's own sessions. */
const KEPT_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'USER', 'SHELL'];

/** The variables that programs need anywhere, out of an environment. */
export function keptVariables(
  { env }: Surroundings,
  names: readonly string[] = KEPT_VARIABLES,
): Record<string, string> {
  const kept = names.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(kept);
}

/**
 * A home that is made for one command and removed after it: agents, hooks, wrappers and a daemon run in it as in a
 * person's own, and leave nothing behind.
 */
export class ThrowAwayHome {
  readonly root: string;
  readonly home: string;
  /** The folder sessions run in. */
  readonly project: string;
  /** Temporary files. A sibling of the home: some agents refuse a home below it. */
  readonly temporary: string;
  readonly around: Surroundings;
  readonly paths: Paths;

  constructor(around: Surroundings) {
    // Short, because sockets lie below it; real, because agents tell the folder they run in by its real path.
    this.root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'omni-dev-')));
    this.home = path.join(this.root, 'home');
    this.project = path.join(this.home, 'project');
    this.temporary = path.join(this.root, 'tmp');
    const env = {
      ...keptVariables(around),
      HOME: this.home,
      TMPDIR: this.temporary,
      OMNI_DEV_NO_AUTOSTART: '1',
    };
    this.around = { ...around, env, home: this.home };
    this.paths = resolvePaths(this.around);
    for (const folder of [this.project, this.temporary, this.paths.runtimeDir]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
  }

  /** Environment of every program that runs in this home. */
  get env(): Record<string, string> {
    return { ...this.around.env } as Record<string, string>;
  }

  /** Removes it with everything in it. A process that is on its way out may still write: it is tried again. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
