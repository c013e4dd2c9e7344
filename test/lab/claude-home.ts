import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Scenario } from './scenario.ts';

/** Made up; the mock does not look at it. */
const API_KEY = 'sk-ant-lab-0000000000000000000000000000-made-up';

/** A throw-away home with everything in it: Claude's files, a project folder, our data directory. */
export class LabHome {
  readonly dir: string;

  constructor() {
    // Short, because the daemon's socket lies below it.
    this.dir = mkdtempSync(path.join(os.tmpdir(), 'odl-'));
  }

  get claudeDir(): string {
    return path.join(this.dir, '.claude');
  }

  get claudeSettings(): string {
    return path.join(this.claudeDir, 'settings.json');
  }

  get vsCodeSettings(): string {
    return path.join(this.dir, '.config', 'Code', 'User', 'settings.json');
  }

  /** Environment of every program that runs in this home; of the developer's own only PATH and OMNI_DEV_LOG get in. */
  env(): Record<string, string> {
    const { OMNI_DEV_LOG } = process.env;
    return {
      ...(OMNI_DEV_LOG === undefined ? {} : { OMNI_DEV_LOG }),
      HOME: this.dir,
      PATH: process.env.PATH ?? '',
      SHELL: '/bin/bash',
      USER: 'dev',
      LANG: 'C.UTF-8',
      TMPDIR: this.dir,
    };
  }

  /** Environment of a Claude that talks to the mock at `modelUrl` and to nobody else. */
  claudeEnv(modelUrl: string, scenario: Scenario): Record<string, string> {
    return {
      ...this.env(),
      TERM: 'xterm-256color',
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: API_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
      // What the SDK sets for the programs that it starts.
      ...(scenario.mode === 'stream'
        ? { CLAUDE_CODE_ENTRYPOINT: 'sdk-ts', CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' }
        : {}),
      ...scenario.env,
    };
  }

  /**
   * Makes the project folder of a scenario, trusted and past every first-run question, and writes the scenario's
   * settings and files. Hooks that are installed already stay.
   *
   * @returns the project folder.
   */
  prepare(scenario: Scenario): string {
    const project = path.join(this.dir, scenario.project ?? 'project');
    mkdirSync(this.claudeDir, { recursive: true });
    mkdirSync(project, { recursive: true });
    this.#trust(project);
    if (scenario.settings !== undefined) {
      const settings = { ...readJson(this.claudeSettings), ...scenario.settings };
      writeFileSync(this.claudeSettings, JSON.stringify(settings, null, 2));
    }
    for (const [name, text] of Object.entries(scenario.files ?? {})) {
      mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
      writeFileSync(path.join(project, name), text);
    }
    return project;
  }

  /** Puts a file where Claude would make the folder of its live-process records. */
  blockRecords(): void {
    const place = path.join(this.claudeDir, 'sessions');
    if (!existsSync(place)) writeFileSync(place, '');
  }

  remove(): void {
    // An agent's last process may still write while it goes: try again.
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }

  #trust(project: string): void {
    const file = path.join(this.dir, '.claude.json');
    const known = readJson(file);
    const projects = known.projects as Record<string, Record<string, unknown>> | undefined;
    const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
    const state = {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: '99.0.0',
      customApiKeyResponses: { approved: [API_KEY.slice(-20)], rejected: [] },
      ...known,
      projects: { ...projects, [project]: { ...projects?.[project], ...trusted } },
    };
    writeFileSync(file, JSON.stringify(state));
  }
}

function readJson(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
