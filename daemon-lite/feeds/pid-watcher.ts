import { isOrphan } from '../../agents/system/process-entry.ts';
import { isRunning, type ProcessTable } from '../../agents/system/process-table.ts';
import type { RegistryApi } from '../registry/api.ts';
import { every } from '../service/beat.ts';
import type { Feed } from '../service/feeds.ts';

/** Every process is looked at this often; the contract's rhythm. */
const POLL_MS = 10_000;
/** Between polls the kernel is asked this often whether the watched processes still exist: a signal of nothing. */
const GLANCE_MS = 1_000;
/** A process seen this often is no passing one. */
const SETTLED_GLANCES = 2;

export interface PidWatcherOptions {
  registry: Pick<RegistryApi, 'watchedPids' | 'pidTick'>;
  table: ProcessTable;
  running?: (pid: number) => boolean;
}

/**
 * Watches the processes that own sessions: ends a session whose process is gone, and keeps one whose process lives. It
 * runs on its own schedule, off every request.
 */
export class PidWatcher implements Feed {
  readonly name = 'pids';
  readonly #options: PidWatcherOptions;
  readonly #running: (pid: number) => boolean;
  /** How many glances saw a process running, up to `SETTLED_GLANCES`. */
  readonly #timesSeen = new Map<number, number>();
  #stops: (() => void)[] = [];

  constructor(options: PidWatcherOptions) {
    this.#options = options;
    this.#running = options.running ?? isRunning;
  }

  start(): void {
    this.#stops = [every(POLL_MS, () => void this.poll()), every(GLANCE_MS, () => this.glance())];
  }

  stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    return Promise.resolve();
  }

  detail(): Record<string, unknown> {
    return { watched: this.#options.registry.watchedPids().length };
  }

  /** Looks at every watched process and lets the registry judge. */
  async poll(): Promise<void> {
    const { registry, table } = this.#options;
    await table.refresh();
    const found = new Map<number, string | null>();
    const orphans = new Set<number>();
    for (const pid of registry.watchedPids()) {
      const entry = table.read(pid);
      if (entry === undefined) found.set(pid, null);
      else if (entry !== null && !entry.zombie) found.set(pid, entry.token);
      if (entry && isOrphan(entry)) orphans.add(pid);
    }
    registry.pidTick(found, orphans);
  }

  /**
   * Polls early when a process that was seen running is gone, and when one has been running for two glances: its end
   * means something only to a registry that has seen it alive. A hook's shell is gone before the second one.
   */
  glance(): void {
    const pids = new Set(this.#options.registry.watchedPids());
    let due = false;
    for (const pid of pids) {
      const seen = this.#timesSeen.get(pid) ?? 0;
      if (!this.#running(pid)) due = this.#timesSeen.delete(pid) || due;
      else if (seen < SETTLED_GLANCES) {
        this.#timesSeen.set(pid, seen + 1);
        due = seen + 1 === SETTLED_GLANCES || due;
      }
    }
    for (const pid of this.#timesSeen.keys()) if (!pids.has(pid)) this.#timesSeen.delete(pid);
    if (due) void this.poll();
  }
}
