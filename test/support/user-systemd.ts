import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from './until.ts';

const SYSTEMD = ['/lib/systemd/systemd', '/usr/lib/systemd/systemd'].find((file) => existsSync(file));

/**
 * A place for a user manager of its own on a machine that was not booted with systemd: in a mount namespace it finds the
 * sign of such a boot and a unified cgroup tree, and it has a cgroup to itself, because it takes over every process of
 * the one it starts in.
 */
const PREPARE = `
mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system || exit 1
mount -t cgroup2 none /sys/fs/cgroup || exit 1
outer=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
inner=$outer/omni-dev-test-$$
mkdir "$inner" && echo $$ >"$inner/cgroup.procs" || exit 1
`;
const CLEAN_UP = `
echo $$ >"$outer/cgroup.procs"
find "$inner" -depth -type d -exec rmdir {} \\;
`;
/** The manager lives as long as the script's standard input. */
const RUN = `
"$1" --user --log-target=console --log-level=warning &
cat >/dev/null
kill $!
wait $!
`;

/** Why no user manager can be had here, or undefined when one can. */
export function noUserSystemd(): string | undefined {
  if (process.platform !== 'linux') return 'this is no Linux';
  if (SYSTEMD === undefined) return 'systemd is not installed';
  if (process.getuid?.() !== 0) return 'only root may make the mounts that it needs';
  const tried = spawnSync('unshare', ['-m', '/bin/sh', '-c', PREPARE + CLEAN_UP], { stdio: 'pipe' });
  if (tried.status === 0) return undefined;
  return `no place for it can be made: ${tried.error?.message ?? tried.stderr.toString().trim()}`;
}

/** The real systemd as a user manager, in a home that nobody else has. */
export class UserSystemd {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'sd-'));
  readonly home = path.join(this.root, 'home');
  readonly #runtimeDir = path.join(this.root, 'run');
  readonly #manager: ChildProcess;
  #said = '';

  private constructor() {
    mkdirSync(this.home);
    mkdirSync(path.join(this.#runtimeDir, 'systemd'), { recursive: true, mode: 0o700 });
    this.#manager = spawn('unshare', ['-m', '/bin/sh', '-c', PREPARE + RUN + CLEAN_UP, 'sh', SYSTEMD ?? ''], {
      env: this.env(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.#manager.stdout, this.#manager.stderr]) {
      stream?.on('data', (chunk) => {
        this.#said += String(chunk);
      });
    }
  }

  static async start(): Promise<UserSystemd> {
    const manager = new UserSystemd();
    await until(
      () => manager.isUp(),
      () => `systemd does not come up: ${manager.#said}`,
      60_000,
    );
    return manager;
  }

  env(extra: Record<string, string> = {}): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      XDG_RUNTIME_DIR: this.#runtimeDir,
      ...extra,
    };
  }

  isUp(): boolean {
    try {
      return this.systemctl('show', '--property=SystemState', '--value').trim() === 'running';
    } catch {
      return false;
    }
  }

  systemctl(...words: string[]): string {
    const options = { env: this.env(), stdio: 'pipe', timeout: 60_000 } as const;
    return execFileSync('systemctl', ['--user', ...words], options).toString();
  }

  /** One property of a unit. */
  property(unit: string, name: string): string {
    return this.systemctl('show', unit, `--property=${name}`, '--value').trim();
  }

  /** Stops everything and waits until it is gone. */
  async remove(): Promise<void> {
    const closed = new Promise((resolve) => this.#manager.once('close', resolve));
    this.#manager.stdin?.end();
    await closed;
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}
