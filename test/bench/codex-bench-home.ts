import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const LAB = process.env.OMNI_DEV_LAB_DIR || path.join(import.meta.dirname, '../lab/.agents');

/** The native codex that `node test/lab/install-agents.mjs codex` installed, or undefined. */
export function benchCodex(): string | undefined {
  try {
    const scope = path.join(LAB, 'codex', 'node_modules', '@openai');
    const [platform] = readdirSync(scope).filter((name) => name.startsWith('codex-'));
    const vendor = path.join(scope, String(platform), 'vendor');
    const [target] = readdirSync(vendor);
    return realpathSync(path.join(vendor, String(target), 'bin', 'codex'));
  } catch {
    return undefined;
  }
}

/** A home of its own with a configured Codex. */
export class CodexBenchHome {
  readonly root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'obc-')));
  readonly home = path.join(this.root, 'home');
  readonly codexHome = path.join(this.home, '.codex');
  readonly project = path.join(this.root, 'project');

  constructor(modelUrl = 'http://127.0.0.1:9/v1') {
    for (const dir of [this.codexHome, this.project, path.join(this.root, 'tmp')])
      mkdirSync(dir, { recursive: true });
    const config = [
      'model = "gpt-6.2-sol"',
      'model_provider = "mock"',
      'approval_policy = "on-request"',
      'sandbox_mode = "workspace-write"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.mock]',
      'name = "mock"',
      `base_url = "${modelUrl}"`,
      'wire_api = "responses"',
      'env_key = "CODEX_DUMMY_KEY"',
      `[projects."${this.project}"]`,
      'trust_level = "trusted"',
    ];
    writeFileSync(path.join(this.codexHome, 'config.toml'), `${config.join('\n')}\n`);
  }

  env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      CODEX_HOME: this.codexHome,
      TMPDIR: path.join(this.root, 'tmp'),
      CODEX_DUMMY_KEY: 'dummy',
      OMNI_DEV_NO_AUTOSTART: '1',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
    };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}
