import { statSync } from 'node:fs';
import path from 'node:path';
import { resolveControlSocket } from '../../agents/codex/control-socket.ts';
import { observePayload } from '../../agents/codex/observe-payload.ts';
import type { LockReading } from '../../agents/codex/thread-locks.ts';
import type { ThreadObserver } from '../../agents/codex/thread-observer.ts';
import { BackOff } from '../../contract/back-off.ts';
import type { Clock } from '../../contract/clock.ts';
import { systemErrorCode } from '../../contract/errors.ts';
import { readRegularFile } from '../../contract/regular-file.ts';
import { VERSION } from '../../contract/version.ts';
import type { TargetLog } from '../diagnostics/log.ts';
import type { RegistryApi } from '../registry/api.ts';
import type { Ingest } from '../server/ingest.ts';

/** Under its own name: the server has been named by then, and whoever looks at it shall see who is there. */
const CLIENT = { name: 'omni-dev', version: VERSION };

export interface SharedServerOptions {
  codexHome: string;
  uid: number;
  ingest: Pick<Ingest, 'observe' | 'end'>;
  registry: Pick<RegistryApi, 'detachFeed'>;
  clock: Clock;
  log: TargetLog;
  /** True while the user lets us observe. */
  allowed(): boolean;
  random?: () => number;
}

/**
 * Observes the background server that plain `codex` shares, as a guest: it comes only after the server has a thread, so
 * that it never names the server, it answers nothing, and it leaves every thread with a parent. A server that appears,
 * goes, or is replaced by another version is noticed at the next look.
 */
export class CodexSharedServer {
  readonly #options: SharedServerOptions;
  readonly #backOff = new BackOff();
  readonly #live = new Set<string>();
  #observer: ThreadObserver | undefined;
  #attaching: Promise<void> | undefined;
  #notBefore = 0;
  #attachments = 0;
  #unsafe: string | undefined;
  #stopped = false;

  constructor(options: SharedServerOptions) {
    this.#options = options;
  }

  detail(): Record<string, unknown> {
    return {
      attached: this.#observer !== undefined,
      sessions: this.#live.size,
      attachments: this.#attachments,
      unknown_words: this.#observer?.unknownWords ?? 0,
      ...(this.#unsafe === undefined ? {} : { problem: this.#unsafe }),
    };
  }

  /** Attaches when it is time, leaves when it is no longer wanted. Called about once a second; cheap. */
  look(reading: LockReading): void {
    if (this.#stopped) return;
    const { clock, allowed } = this.#options;
    if (!allowed()) {
      if (this.#observer !== undefined) this.#leave();
      return;
    }
    const isBusy = this.#observer !== undefined || this.#attaching !== undefined;
    if (isBusy || clock.awake() < this.#notBefore) return;
    if (!this.#hasLoadedThread(reading)) return;
    const socketPath = this.#socketPath();
    if (socketPath === undefined) return;
    this.#attaching = this.#attach(socketPath).finally(() => {
      this.#attaching = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#observer?.close();
    await this.#attaching;
    this.#observer?.close();
  }

  /** True when the server has loaded a thread: then a client has named it. Other servers have locks in this home too. */
  #hasLoadedThread(reading: LockReading): boolean {
    const held = [...reading.locks.values()].filter(({ state }) => state === 'held');
    if (held.length === 0) return false;
    const server = serverPid(this.#options.codexHome);
    const holders = held.map(({ holder }) => holder);
    if (server !== undefined && holders.every((holder) => holder !== undefined))
      return holders.includes(server);
    // Who holds a lock is not known everywhere. A thread that was loaded after the server came is its own most likely.
    const startedAt = changedAt(controlSocketPath(this.#options.codexHome));
    return startedAt !== undefined && held.some(({ madeAt }) => madeAt >= startedAt);
  }

  #socketPath(): string | undefined {
    const { codexHome, uid, log } = this.#options;
    const socket = resolveControlSocket(controlSocketPath(codexHome), uid);
    if (socket.kind === 'socket') return socket.path;
    if (socket.kind === 'unsafe' && this.#unsafe !== socket.reason) {
      this.#unsafe = socket.reason;
      log.warn('codex_socket_refused', { reason: socket.reason });
    }
    return undefined;
  }

  async #attach(socketPath: string): Promise<void> {
    const { log } = this.#options;
    try {
      // The protocol's libraries are loaded only where there is such a server: they cost megabytes.
      const { ThreadObserver } = await import('../../agents/codex/thread-observer.ts');
      const { openWebSocket } = await import('../../agents/codex/transport.ts');
      const transport = await openWebSocket(socketPath);
      if (this.#stopped) return transport.close();
      const observer = new ThreadObserver({
        transport,
        client: CLIENT,
        known: this.#live,
        handlers: {
          state: (reading) => {
            this.#live.add(reading.sessionId);
            void this.#options.ingest.observe(observePayload(reading), 'watcher');
          },
          ended: (sessionId) => this.#ended(sessionId),
          lost: () => this.#lost(),
        },
      });
      const { serverVersion } = await observer.start();
      this.#observer = observer;
      this.#attachments += 1;
      this.#unsafe = undefined;
      this.#backOff.reset();
      log.info('codex_server_attached', { home: this.#options.codexHome, version: serverVersion });
    } catch (error) {
      log.debug('codex_server_unreachable', { code: systemErrorCode(error) });
      this.#lost();
    }
  }

  #ended(sessionId: string): void {
    this.#live.delete(sessionId);
    void this.#options.ingest.end(
      { session_id: sessionId, reason: 'unloaded', feed: 'codex_server' },
      'watcher',
    );
  }

  /** What was reported is no longer known: the rows fall back on what else there is, or go stale. */
  #lost(): void {
    this.#observer = undefined;
    const { clock, random = Math.random } = this.#options;
    this.#notBefore = clock.awake() + this.#backOff.next(random());
    this.#detachRows();
  }

  #leave(): void {
    this.#observer?.close();
    this.#observer = undefined;
    this.#detachRows();
    this.#live.clear();
  }

  #detachRows(): void {
    for (const sessionId of this.#live) this.#options.registry.detachFeed(sessionId, 'codex_server');
  }
}

/** Where the shared server of a home listens. */
export function controlSocketPath(codexHome: string): string {
  return path.join(codexHome, 'app-server-control', 'app-server-control.sock');
}

/** The pid that the shared server of a home was started with, as its own file says, or undefined. */
function serverPid(codexHome: string): number | undefined {
  try {
    const text = readRegularFile(path.join(codexHome, 'app-server-daemon', 'daemon.pid'));
    const value: unknown = JSON.parse(text);
    const pid = typeof value === 'object' && value !== null && 'pid' in value ? value.pid : undefined;
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    return undefined;
  }
}

function changedAt(file: string): number | undefined {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}
