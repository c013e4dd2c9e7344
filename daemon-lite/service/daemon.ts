import path from 'node:path';
import { ownPidNamespace } from '../../agents/system/pid-namespace.ts';
import { processTable } from '../../agents/system/process-table.ts';
import { rfc3339 } from '../../contract/clock.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { COMMIT, VERSION } from '../../contract/version.ts';
import { decisionRecorder } from '../diagnostics/decision-records.ts';
import type { Log, TargetLog } from '../diagnostics/log.ts';
import { processView } from '../feeds/process-view.ts';
import { WaitingWatch } from '../history/waiting-watch.ts';
import { SessionRegistry } from '../registry/registry.ts';
import { ControlServer } from '../server/control-server.ts';
import { Ingest } from '../server/ingest.ts';
import { ReportedWords } from '../server/reported-words.ts';
import { RepositoryNames } from '../server/repository-names.ts';
import { streamTickSeconds } from '../server/stream-tick.ts';
import { AwakeClock } from './awake-clock.ts';
import { every } from './beat.ts';
import { writeDaemonRecord } from './discovery.ts';
import { createFeeds, type Feed } from './feeds.ts';
import { recentProcesses } from './recent-processes.ts';
import { prepareRuntimeDirectory } from './runtime-directory.ts';
import { SettleTimer } from './settle-timer.ts';
import { SocketClaim } from './socket-claim.ts';

export interface DaemonOptions {
  around: Surroundings;
  paths: Paths;
  log: Log;
  /** A listening socket that a service manager handed over. */
  descriptor?: number;
}

/** How often the daemon looks whether its socket is still there. */
const SOCKET_CHECK_MS = 5_000;
/** How long a feed may take to stop. */
const FEED_STOP_MS = 2_000;

/** The whole daemon in one process: socket, registry, server and feeds. */
export class Daemon {
  readonly #options: DaemonOptions;
  readonly #log: TargetLog;
  readonly #clock = new AwakeClock();
  readonly #settle: SettleTimer;
  readonly #server: ControlServer;
  readonly #feeds: Feed[];
  readonly #waiting: WaitingWatch;
  #claim: SocketClaim | undefined;
  #forget: () => void = () => {};
  #stopSocketCheck: () => void = () => {};
  #stopping: Promise<void> | undefined;
  #onStopped: () => void = () => {};
  /** Resolves when the daemon has stopped, for whatever reason. */
  readonly stopped = new Promise<void>((resolve) => {
    this.#onStopped = resolve;
  });

  constructor(options: DaemonOptions) {
    const { around, paths, log } = options;
    this.#options = options;
    this.#log = log.target('omni_dev::daemon');
    const table = processTable(around.platform);
    const pidNamespace = ownPidNamespace();
    const registry = new SessionRegistry({
      clock: this.#clock,
      processes: recentProcesses(processView(table)),
      ...(pidNamespace === undefined ? {} : { pidNamespace }),
    });
    registry.onDecision(decisionRecorder(log));
    const ingest = new Ingest(
      registry,
      new RepositoryNames({
        onFailure: (reason) => log.target('omni_dev::sessions').warn('repository_lookup', { reason }),
        onLateName: (cwd, name) => registry.nameRepository(cwd, name),
      }),
    );
    const words = new ReportedWords();
    ingest.onSighting((payload) => words.take(payload));
    this.#settle = new SettleTimer(registry);
    this.#waiting = new WaitingWatch(registry, this.#clock);
    const surroundings = { ingest, registry, clock: this.#clock, log, paths, around };
    this.#feeds = createFeeds(surroundings, table, pidNamespace);
    this.#server = new ControlServer({
      registry,
      ingest,
      log,
      tickMs: streamTickSeconds(around.env.OMNI_DEV_DAEMON_STREAM_TICK) * 1_000,
      onStop: () => void this.stop('shutdown'),
      waitingTime: () => this.#waiting.today(),
      detail: () => ({
        ...Object.fromEntries(this.#feeds.map((feed) => [feed.name, feed.detail?.() ?? {}])),
        reports: words.detail(),
      }),
    });
  }

  /**
   * Takes the socket and starts everything. When it resolves, clients are served.
   *
   * @throws OmniDevError when another daemon has the socket, or the socket or its directory cannot be used.
   */
  async start(): Promise<void> {
    const { around, paths, descriptor } = this.#options;
    const isOurDirectory = path.dirname(paths.socket) === paths.runtimeDir || paths.socketIsFallback;
    prepareRuntimeDirectory(path.dirname(paths.socket), around.uid, isOurDirectory);
    this.#claim = await SocketClaim.acquire({
      socket: paths.socket,
      uid: around.uid,
      log: this.#log,
      onConnection: (connection) => this.#server.accept(connection),
      ...(descriptor === undefined ? {} : { descriptor }),
    });
    this.#clock.start();
    this.#settle.start();
    this.#waiting.start();
    this.#stopSocketCheck = every(SOCKET_CHECK_MS, () => void this.#checkSocket());
    const startedAt = rfc3339(this.#clock.wall());
    this.#forget = writeDaemonRecord(around.home, {
      pid: process.pid,
      socket: paths.socket,
      started_at: startedAt,
    });
    for (const feed of this.#feeds) feed.start();
    this.#log.info('daemon_started', {
      socket: paths.socket,
      pid: process.pid,
      version: VERSION,
      commit: COMMIT === '' ? undefined : COMMIT,
      socket_made_by: this.#claim.madeBy,
    });
  }

  /** Stops gracefully, once: no new connections, own socket removed, open requests finished, feeds stopped. */
  stop(reason: string): Promise<void> {
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  async #stop(reason: string): Promise<void> {
    this.#log.info('daemon_stopping', { reason });
    this.#stopSocketCheck();
    this.#claim?.release();
    await this.#server.stop();
    await Promise.all(this.#feeds.map((feed) => this.#stopFeed(feed)));
    this.#waiting.stop();
    this.#settle.stop();
    this.#clock.stop();
    this.#forget();
    this.#log.info('daemon_stopped');
    this.#onStopped();
  }

  async #stopFeed(feed: Feed): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FEED_STOP_MS);
    });
    await Promise.race([feed.stop(), late]).catch((error: unknown) =>
      this.#log.warn('feed_stop_failed', { feed: feed.name, error: nameOf(error) }),
    );
    clearTimeout(timer);
  }

  /** A cleaner of /tmp may take the socket: it is bound anew. One that was replaced is not ours to fight for. */
  async #checkSocket(): Promise<void> {
    const claim = this.#claim;
    if (claim === undefined || this.#stopping !== undefined) return;
    try {
      const standing = claim.standing();
      if (standing === 'ours') return;
      this.#log.warn('socket_gone', { socket: this.#options.paths.socket, standing });
      if (standing === 'lost') await claim.rebind();
      else await this.stop('socket_replaced');
    } catch (error) {
      this.#log.error('socket_check_failed', { error: nameOf(error) });
    }
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
