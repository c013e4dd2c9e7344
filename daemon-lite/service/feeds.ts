import os from 'node:os';
import path from 'node:path';
import { isRunning, type ProcessTable } from '../../agents/system/process-table.ts';
import type { Clock } from '../../contract/clock.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import type { Log } from '../diagnostics/log.ts';
import { ClaudeHomes } from '../feeds/claude-homes.ts';
import { CodexHomes } from '../feeds/codex-homes.ts';
import { Journals } from '../feeds/journals.ts';
import { LearnedHomes } from '../feeds/learned-homes.ts';
import { PidWatcher } from '../feeds/pid-watcher.ts';
import type { RegistryApi } from '../registry/api.ts';
import type { Ingest } from '../server/ingest.ts';
import { recentlyRunning } from './recent-processes.ts';

/** A source of sightings that runs inside the daemon. */
export interface Feed {
  /** Name in `status` and in the log: `transcripts`, `pids`, … */
  readonly name: string;
  /** Begins to look. Must not throw; what fails later is logged and tried again. */
  start(): void;
  /** Stops looking; resolves when nothing of it runs any more. */
  stop(): Promise<void>;
  /** Counts for `status`, without content. */
  detail?(): Record<string, unknown>;
}

/** What a feed may use. Sightings go through `ingest`, which names their repository and keeps their order. */
export interface FeedSurroundings {
  ingest: Ingest;
  registry: RegistryApi;
  clock: Clock;
  log: Log;
  paths: Paths;
  around: Surroundings;
}

/** Makes every feed of the daemon, in the order in which they start. The one place where feeds are registered. */
export function createFeeds(
  surroundings: FeedSurroundings,
  table: ProcessTable,
  pidNamespace?: string,
): Feed[] {
  const { ingest, registry, clock, paths, around } = surroundings;
  const log = surroundings.log.target('omni_dev::sessions');
  const homes = new LearnedHomes(path.join(paths.runtimeDir, 'homes.json'));
  const { journalsDir } = paths;
  const running = recentlyRunning(isRunning);
  const codex = new CodexHomes({ surroundings, homes });
  const codexLock = (sessionId: string) => codex.lockState(sessionId);
  return [
    // Before the journals, which ask it for proof of life.
    codex,
    new Journals({
      journalsDir,
      uid: around.uid,
      pidNamespace,
      table,
      codexLock,
      bootedAt: () => clock.wall() - os.uptime() * 1_000,
      ingest,
      registry,
      clock,
      log,
    }),
    new ClaudeHomes({ surroundings, table, running, pidNamespace, homes }),
    new PidWatcher({ registry, table, running }),
  ];
}
