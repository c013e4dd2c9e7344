import path from 'node:path';
import type { ProcessTable } from '../../agents/system/process-table.ts';
import type { Feed, FeedSurroundings } from '../service/feeds.ts';
import { ClaudeRecords } from './claude-records.ts';
import { claudeHomeOfTranscript, type LearnedHomes } from './learned-homes.ts';
import { transcriptsRoot } from './transcript-paths.ts';
import { Transcripts } from './transcripts.ts';

export interface ClaudeHomesOptions {
  surroundings: FeedSurroundings;
  table: ProcessTable;
  running: (pid: number) => boolean;
  pidNamespace: string | undefined;
  homes: LearnedHomes;
}

/**
 * The feeds of every Claude configuration folder: the one of this environment, and those that sightings name. Each has
 * its own watch on live records and one on transcripts.
 */
export class ClaudeHomes implements Feed {
  readonly name = 'claude';
  readonly #options: ClaudeHomesOptions;
  readonly #feeds = new Map<string, Feed[]>();
  #forget: () => void = () => {};
  #started = false;

  constructor(options: ClaudeHomesOptions) {
    this.#options = options;
  }

  start(): void {
    const { surroundings, homes } = this.#options;
    this.#started = true;
    const root = transcriptsRoot(surroundings.around);
    const own = surroundings.around.env.CLAUDE_CONFIG_DIR || path.join(surroundings.around.home, '.claude');
    this.#open(path.resolve(own), root);
    for (const folder of homes.all('claude')) this.#open(folder, path.join(folder, 'projects'));
    this.#forget = surroundings.ingest.onSighting(({ agent, transcript_path: file }) => {
      if (file === undefined || (agent !== undefined && agent !== 'claude')) return;
      const folder = claudeHomeOfTranscript(file);
      if (folder === undefined || this.#feeds.has(folder)) return;
      homes.learn('claude', folder);
      this.#open(folder, path.join(folder, 'projects'));
    });
  }

  async stop(): Promise<void> {
    this.#started = false;
    this.#forget();
    await Promise.all([...this.#feeds.values()].flat().map((feed) => feed.stop()));
  }

  detail(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.#feeds].map(([folder, feeds]) => [
        folder,
        Object.fromEntries(feeds.map((feed) => [feed.name, feed.detail?.() ?? {}])),
      ]),
    );
  }

  #open(folder: string, root: string): void {
    if (!this.#started || this.#feeds.has(folder)) return;
    const { surroundings, table, running, pidNamespace } = this.#options;
    const { ingest, clock, around } = surroundings;
    const log = surroundings.log.target('omni_dev::sessions');
    const { uid } = around;
    const records = path.join(folder, 'sessions');
    const feeds = [
      new ClaudeRecords({ folder: records, uid, pidNamespace, table, running, ingest, clock, log }),
      new Transcripts({ root, ingest, clock, log }),
    ];
    this.#feeds.set(folder, feeds);
    for (const feed of feeds) feed.start();
  }
}
