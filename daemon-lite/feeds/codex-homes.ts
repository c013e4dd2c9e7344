import path from 'node:path';
import {
  type LockProbe,
  type LockReading,
  type LockState,
  lockProbe,
  proofOfLock,
  readThreadLocks,
} from '../../agents/codex/thread-locks.ts';
import { settingsFile } from '../../contract/settings-file.ts';
import { every } from '../service/beat.ts';
import type { Feed, FeedSurroundings } from '../service/feeds.ts';
import { CodexRollouts } from './codex-rollouts.ts';
import { SharedServerSetting } from './codex-settings.ts';
import { CodexSharedServer } from './codex-shared-server.ts';
import { codexHomeOfRollout, type LearnedHomes } from './learned-homes.ts';

/** Locks and the shared server's socket are looked at this often, the rollouts every fifth time: the contract's 5 s. */
const LOOK_MS = 1_000;
const LOOKS_PER_ROLLOUT_LOOK = 5;

export interface CodexHomesOptions {
  surroundings: FeedSurroundings;
  homes: LearnedHomes;
  probe?: LockProbe;
}

interface Home {
  rollouts: CodexRollouts;
  server: CodexSharedServer;
  reading: LockReading;
}

/**
 * Everything that is known of Codex sessions without a wrapper and without hooks, for every Codex home: the one of this
 * environment and those that sightings name. Each has its rollouts, its thread locks and its shared server.
 */
export class CodexHomes implements Feed {
  readonly name = 'codex';
  readonly #options: CodexHomesOptions;
  readonly #probe: LockProbe;
  readonly #setting: SharedServerSetting;
  readonly #homes = new Map<string, Home>();
  #forget: () => void = () => {};
  #stopLooking: () => void = () => {};
  #looks = 0;

  constructor(options: CodexHomesOptions) {
    const { around } = options.surroundings;
    this.#options = options;
    this.#probe = options.probe ?? lockProbe(around.platform);
    this.#setting = new SharedServerSetting(settingsFile(around.home));
  }

  start(): void {
    const { surroundings, homes } = this.#options;
    const { around, ingest } = surroundings;
    this.#open(path.resolve(around.env.CODEX_HOME || path.join(around.home, '.codex')));
    for (const folder of homes.all('codex')) this.#open(folder);
    this.#forget = ingest.onSighting(({ agent, transcript_path: file }) => {
      const folder = agent === 'codex' && file !== undefined ? codexHomeOfRollout(file) : undefined;
      if (folder === undefined || this.#homes.has(folder)) return;
      homes.learn('codex', folder);
      this.#open(folder);
    });
    this.look();
    this.#stopLooking = every(LOOK_MS, () => this.look());
  }

  async stop(): Promise<void> {
    this.#stopLooking();
    this.#forget();
    await Promise.all([...this.#homes.values()].map(({ server }) => server.stop()));
  }

  detail(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.#homes].map(([folder, { rollouts, server, reading }]) => [
        folder,
        { ...rollouts.detail(), locks: reading.locks.size, shared_server: server.detail() },
      ]),
    );
  }

  /** One look at every home. */
  look(): void {
    const rolloutsToo = this.#looks % LOOKS_PER_ROLLOUT_LOOK === 0;
    this.#looks += 1;
    for (const [folder, home] of this.#homes) {
      home.reading = readThreadLocks(folder, this.#probe);
      if (rolloutsToo) home.rollouts.lookAtRollouts(home.reading);
      home.rollouts.lookAtLocks(home.reading);
      home.server.look(home.reading);
    }
  }

  /** What the writer lock of a thread proves about its session, looked at now in every home. */
  lockState(sessionId: string): LockState {
    const states = [...this.#homes].map(([folder, home]) => {
      const reading = readThreadLocks(folder, this.#probe);
      return proofOfLock(reading, sessionId, home.rollouts.has(sessionId.toLowerCase()));
    });
    const byWeight = ['held', 'free', 'unknown'] as const;
    return byWeight.find((state) => states.includes(state)) ?? 'absent';
  }

  #open(codexHome: string): void {
    if (this.#homes.has(codexHome)) return;
    const { ingest, registry, clock, around } = this.#options.surroundings;
    const log = this.#options.surroundings.log.target('omni_dev::sessions');
    const common = { codexHome, ingest, registry, clock, log };
    this.#homes.set(codexHome, {
      rollouts: new CodexRollouts(common),
      server: new CodexSharedServer({ ...common, uid: around.uid, allowed: () => this.#setting.on }),
      reading: { supported: false, locks: new Map() },
    });
  }
}
