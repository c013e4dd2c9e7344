import type { Clock } from '../../contract/clock.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import type { Log } from '../diagnostics/log.ts';
import type { RegistryApi } from '../registry/api.ts';
import type { Ingest } from '../server/ingest.ts';

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
export function createFeeds(_surroundings: FeedSurroundings): Feed[] {
  return [];
}
