import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { processTable } from '../../agents/system/process-table.ts';
import { sendRequest } from '../../contract/client.ts';
import type { SessionEntry, Stamp } from '../../contract/messages.ts';
import { sessionsRequest } from '../../contract/messages.ts';
import { type Paths, resolvePaths } from '../../contract/paths.ts';
import { asSnapshot } from '../../contract/subscription.ts';
import { processView } from '../../daemon-lite/feeds/process-view.ts';
import { SessionRegistry } from '../../daemon-lite/registry/registry.ts';
import { claudePid, mapClaudeHook } from '../../sink/claude-mapping.ts';
import { deliverHook } from '../../sink/deliver.ts';
import { readHookPayload } from '../../sink/hook-payload.ts';
import { runSink } from '../sink/sink-process.ts';
import { Random, type SimulatedHook, simulateHooks } from './generate.ts';

const DAEMON = path.join(import.meta.dirname, '../../dist/daemon.cjs');

export interface CampaignOptions {
  seed: number;
  events: number;
  sessions: number;
  /** How often the daemon is killed. */
  kills: number;
  /** Runs each hook as the real sink process instead of its code. */
  realSinks: boolean;
}

/** What has to be the same after a disturbed and an undisturbed run, by session id; ended sessions are left out. */
export type FinalState = Record<string, { state: string; cwd?: string; model?: string; outcome?: string }>;

/** One run: the same hooks for a daemon that is killed at random, and for a registry that nobody disturbs. */
export class Campaign {
  readonly #options: CampaignOptions;
  readonly #home = mkdtempSync(path.join(os.tmpdir(), 'campaign-'));
  readonly #paths: Paths;
  readonly #undisturbed: SessionRegistry;
  readonly #agents: ChildProcess[];
  #daemon: ChildProcess | undefined;
  #sequence = 0;

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.#paths = resolvePaths({
      env: {},
      platform: process.platform,
      home: this.#home,
      uid: process.getuid?.() ?? 0,
    });
    mkdirSync(this.#paths.runtimeDir, { recursive: true, mode: 0o700 });
    this.#agents = Array.from({ length: 4 }, () => spawn('sleep', ['600'], { stdio: 'ignore' }));
    const clock = { wall: () => Date.now(), awake: () => performance.now() };
    this.#undisturbed = new SessionRegistry({
      clock,
      processes: processView(processTable(process.platform)),
    });
  }

  /** Runs everything; resolves with both final states once they agree, or after waiting for that. */
  async run(): Promise<{ disturbed: FinalState; undisturbed: FinalState }> {
    const { seed, events, sessions, kills } = this.#options;
    const random = new Random(seed ^ 0x5eed);
    const killAt = new Set(Array.from({ length: kills }, () => random.below(events)));
    this.#startDaemon();
    for (const [index, hook] of simulateHooks(seed, events, sessions, this.#agents.length).entries()) {
      if (killAt.has(index)) this.#killDaemon();
      else if (this.#daemon === undefined && random.next() < 0.1) this.#startDaemon();
      await this.#deliver(hook);
    }
    if (this.#daemon === undefined) this.#startDaemon();
    return this.#settle();
  }

  async close(): Promise<void> {
    this.#killDaemon();
    for (const agent of this.#agents) agent.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 50));
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  #startDaemon(): void {
    const env = { PATH: process.env.PATH ?? '', HOME: this.#home };
    this.#daemon = spawn(process.execPath, [DAEMON, 'run'], { env, stdio: 'ignore' });
  }

  #killDaemon(): void {
    this.#daemon?.kill('SIGKILL');
    this.#daemon = undefined;
  }

  async #deliver(hook: SimulatedHook): Promise<void> {
    const pid = this.#agents[hook.process]?.pid ?? 0;
    const env = { CLAUDE_PID: String(pid) };
    const input = JSON.stringify(hook.payload);
    const stamp = this.#nextStamp();
    this.#applyUndisturbed(input, env, stamp);
    if (this.#options.realSinks) {
      await runSink(input, { home: this.#home, env });
      return;
    }
    await deliverHook(input, {
      agent: 'claude',
      env,
      parent: undefined,
      pidNamespace: undefined,
      stamp,
      paths: this.#paths,
      limitMs: () => 1_000,
      // As every hook runs: diagnostics alone wait for the daemon's reply.
      report: undefined,
    });
  }

  #nextStamp(): Stamp {
    this.#sequence += 1;
    return { ts: new Date().toISOString(), seq: `${process.pid}-${this.#sequence}` };
  }

  #applyUndisturbed(input: string, env: Record<string, string>, stamp: Stamp): void {
    const payload = readHookPayload(input);
    const operation = typeof payload === 'string' ? undefined : mapClaudeHook(payload);
    const pid = claudePid(env, undefined);
    if (operation === undefined || pid === undefined) return;
    const complete = { ...operation.payload, pid, stamp };
    if (operation.op === 'end') this.#undisturbed.end(complete);
    else this.#undisturbed.observe({ ...operation.payload, pid, stamp, feed: 'hook' });
  }

  async #settle(): Promise<{ disturbed: FinalState; undisturbed: FinalState }> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const undisturbed = finalState(this.#undisturbed.list());
      const disturbed = finalState(await this.#list());
      if (JSON.stringify(disturbed) === JSON.stringify(undisturbed) || Date.now() > deadline) {
        return { disturbed, undisturbed };
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #list(): Promise<SessionEntry[]> {
    try {
      const reply = await sendRequest(this.#paths.socket, sessionsRequest('list'));
      return reply.ok ? (asSnapshot(reply.payload)?.sessions ?? []) : [];
    } catch {
      return [];
    }
  }
}

function finalState(entries: readonly SessionEntry[]): FinalState {
  const live = entries.filter((entry) => entry.state !== 'ended');
  return Object.fromEntries(
    live
      .sort((left, right) => (left.session_id < right.session_id ? -1 : 1))
      .map(({ session_id, state, cwd, model, outcome }) => [
        session_id,
        {
          state,
          ...(cwd === undefined ? {} : { cwd }),
          ...(model === undefined ? {} : { model }),
          ...(outcome === undefined ? {} : { outcome }),
        },
      ]),
  );
}
