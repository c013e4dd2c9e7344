import type { Socket } from 'node:net';
import type { WaitingTimePayload } from '../../contract/waiting-time.ts';
import type { Log } from '../diagnostics/log.ts';
import type { RegistryApi } from '../registry/api.ts';
import { Connection } from './connection.ts';
import type { Ingest } from './ingest.ts';
import { answer, type RequestContext } from './requests.ts';
import { encodeList } from './snapshot.ts';
import { Subscriptions } from './subscriptions.ts';

export interface ControlServerOptions {
  registry: RegistryApi;
  ingest: Ingest;
  log: Log;
  /** Period of the subscription re-sample. */
  tickMs: number;
  /** A client asked the daemon to stop. */
  onStop(): void;
  /** Facts of the feeds for `status`. */
  detail?(): Record<string, unknown>;
  /** How long sessions stood waiting today. */
  waitingTime?(): WaitingTimePayload;
}

/** How long connections may take to finish at a stop. */
const DRAIN_MS = 5_000;

/** Serves the control protocol on connections that it is given; it opens no socket itself. */
export class ControlServer {
  readonly #options: ControlServerOptions;
  readonly #context: RequestContext;
  readonly #subscriptions: Subscriptions;
  readonly #connections = new Set<Connection>();
  #stopping = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: ControlServerOptions) {
    this.#options = options;
    const log = options.log.target('omni_dev::daemon::server');
    this.#subscriptions = new Subscriptions({
      snapshot: () => encodeList(options.registry.list()),
      onChange: (listener) => options.registry.onChange(listener),
      tickMs: options.tickMs,
      log,
    });
    this.#context = {
      registry: options.registry,
      ingest: options.ingest,
      log,
      detail: () => ({
        connections: this.#connections.size,
        subscribers: this.#subscriptions.size,
        ...options.detail?.(),
      }),
      ...(options.waitingTime === undefined ? {} : { waitingTime: options.waitingTime }),
    };
  }

  /** Serves one connection. It has to be opened with `allowHalfOpen`. */
  accept(socket: Socket): void {
    if (this.#stopping) {
      socket.destroy();
      return;
    }
    this.#connections.add(
      new Connection(socket, {
        answer: (line) => answer(line, this.#context),
        subscriptions: this.#subscriptions,
        onStop: () => this.#options.onStop(),
        onClose: (connection) => this.#closed(connection),
      }),
    );
  }

  /** Ends streams at once, lets requests finish for up to `drainMs`, then closes what is left. */
  async stop(drainMs = DRAIN_MS): Promise<void> {
    this.#stopping = true;
    for (const connection of this.#connections) connection.drain();
    this.#subscriptions.stop();
    await this.#emptyWithin(drainMs);
    for (const connection of this.#connections) connection.destroy();
  }

  #closed(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  #emptyWithin(ms: number): Promise<void> {
    if (this.#connections.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
