import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentPath } from './agents.ts';

/** The native program inside the installed package, without the Node launcher in front of it. */
export function nativeCodex(): string {
  const launcher = realpathSync(agentPath('codex'));
  const packages = path.resolve(launcher, '../../..');
  const [platform] = readdirSync(packages).filter((name) => name.startsWith('codex-'));
  const vendor = path.join(packages, String(platform), 'vendor');
  const [target] = readdirSync(vendor);
  return path.join(vendor, String(target), 'bin', 'codex');
}

/** A throw-away home with a Codex in it that talks to the mock model, and a project to work in. */
export class CodexHome {
  readonly root: string;
  readonly home: string;
  readonly codexHome: string;
  readonly project: string;
  readonly tmp: string;

  constructor() {
    this.root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'odc-')));
    this.home = path.join(this.root, 'home');
    this.codexHome = path.join(this.home, '.codex');
    this.project = path.join(this.root, 'project');
    // A sibling: Codex warns when its home lies below TMPDIR.
    this.tmp = path.join(this.root, 'tmp');
    for (const dir of [this.codexHome, this.project, this.tmp]) mkdirSync(dir, { recursive: true });
    execFileSync('git', ['init', '-q', '-b', 'main', this.project]);
  }

  /** Environment of every program that runs in this home; nothing of the developer's own gets in. */
  env(): Record<string, string> {
    return {
      PATH: `${path.dirname(nativeCodex())}:${process.env.PATH ?? ''}`,
      HOME: this.home,
      CODEX_HOME: this.codexHome,
      TMPDIR: this.tmp,
      CODEX_DUMMY_KEY: 'dummy',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      USER: 'dev',
    };
  }

  /** Writes the configuration: the mock as the model's provider, nothing that would leave the machine. */
  configure(modelUrl: string, features: Record<string, boolean> = {}): void {
    const lines = [
      'model = "gpt-6.2-sol"',
      'model_provider = "mock"',
      'approval_policy = "on-request"',
      'sandbox_mode = "workspace-write"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[features]',
      ...Object.entries(features).map(([name, on]) => `${name} = ${on}`),
      '[model_providers.mock]',
      'name = "mock"',
      `base_url = "${modelUrl}"`,
      'wire_api = "responses"',
      'env_key = "CODEX_DUMMY_KEY"',
      `[projects."${this.project}"]`,
      'trust_level = "trusted"',
    ];
    writeFileSync(path.join(this.codexHome, 'config.toml'), `${lines.join('\n')}\n`);
  }

  get controlSocket(): string {
    return path.join(this.codexHome, 'app-server-control', 'app-server-control.sock');
  }

  /** Every rollout of this home, archived ones included. */
  rollouts(): string[] {
    return ['sessions', 'archived_sessions'].flatMap((folder) => {
      const dir = path.join(this.codexHome, folder);
      try {
        const names = readdirSync(dir, { recursive: true }).map(String);
        return names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(dir, name));
      } catch {
        return [];
      }
    });
  }

  /** Processes that run with this home in their environment or on their command line. */
  processes(): { pid: number; command: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const pid = Number(name);
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
          const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
          const ours = command !== '' && (environment.includes(this.root) || command.includes(this.root));
          return ours ? [{ pid, command }] : [];
        } catch {
          return [];
        }
      });
  }

  /** Stops a shared background server and whatever else still runs here, and removes the home. */
  async remove(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      for (const { pid } of this.processes()) {
        try {
          process.kill(pid, signal);
        } catch {
          // It went by itself.
        }
      }
      for (const until = Date.now() + 3_000; this.processes().length > 0 && Date.now() < until; ) {
        await new Promise((done) => setTimeout(done, 50));
      }
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}
