import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientInfo, ObserverConnection } from '../../agents/codex/observer-connection.ts';
import { ThreadObserver } from '../../agents/codex/thread-observer.ts';
import type { SessionReading } from '../../agents/codex/thread-tracker.ts';
import { openWebSocket, type TextTransport } from '../../agents/codex/transport.ts';
import { BackOff } from '../../contract/back-off.ts';
import type { PrivateServer } from './private-server.ts';
import type { SessionReports } from './session-reports.ts';

/** How the terminal interface introduces itself. The first client to do so names the server for good. */
const INTERFACE_NAME = 'codex-tui';
/** What a client says that does not know its server's version yet. */
const UNKNOWN_VERSION = '0.0.0';
const CONNECT_MS = 5_000;

/**
 * Keeps an observer on the private server for as long as it lives: under the interface's own name and version, so that
 * what the server tells the model's provider about itself is what it would be without us. A lost connection is made
 * again with a growing, jittered pause; meanwhile nothing is reported, and the daemon lets the rows go stale.
 */
export class ServerObserver {
  readonly #server: PrivateServer;
  readonly #reports: SessionReports;
  readonly #onReading: (reading: SessionReading) => void;
  readonly #backOff = new BackOff();
  #observer: ThreadObserver | undefined;
  #closed = false;
  #seen = false;

  /** @param onReading told of every reading that is reported */
  constructor(
    server: PrivateServer,
    reports: SessionReports,
    onReading: (reading: SessionReading) => void = () => {},
  ) {
    this.#server = server;
    this.#reports = reports;
    this.#onReading = onReading;
  }

  /** True once the server had any session. */
  get hasSeenSessions(): boolean {
    return this.#seen;
  }

  /** Observes until the server is gone or {@link close} is called. Never rejects. */
  async run(): Promise<void> {
    const client = { name: INTERFACE_NAME, version: (await this.#prime()) ?? UNKNOWN_VERSION };
    while (!this.#closed && !this.#server.hasExited) {
      await this.#observeOnce(client);
      if (this.#closed || this.#server.hasExited) break;
      const pause = sleep(this.#backOff.next(Math.random()), undefined, { ref: false });
      await Promise.race([pause, this.#server.exited]);
    }
    // A private server that is gone takes its sessions with it.
    if (!this.#closed)
      for (const { sessionId } of this.#reports.live) this.#reports.ended(sessionId, 'server_gone');
  }

  close(): void {
    this.#closed = true;
    this.#observer?.close();
  }

  /**
   * Gives the server its name, if the interface has not done so: says hello as the interface does. Resolves with the
   * server's version, which is the interface's too, or with undefined when that was not to be had.
   */
  async #prime(): Promise<string | undefined> {
    const transport = await this.#connect();
    if (transport === undefined) return undefined;
    const connection = new ObserverConnection(transport, { notification: () => {}, closed: () => {} });
    try {
      const hello = await connection.initialize({ name: INTERFACE_NAME, version: UNKNOWN_VERSION });
      return hello.serverVersion;
    } catch {
      return undefined;
    } finally {
      connection.close();
    }
  }

  /** Opens a connection, or resolves with undefined when that cannot be done now. */
  async #connect(): Promise<TextTransport | undefined> {
    const { socket } = this.#server;
    return socket.kind === 'socket'
      ? openWebSocket(socket.path, CONNECT_MS).catch(() => undefined)
      : undefined;
  }

  /** Observes over one connection until it is lost. */
  async #observeOnce(client: ClientInfo): Promise<void> {
    const transport = await this.#connect();
    if (transport === undefined || this.#closed) return transport?.close();
    let lost = (): void => {};
    const over = new Promise<void>((resolve) => {
      lost = resolve;
    });
    this.#observer = new ThreadObserver({
      transport,
      client,
      known: this.#reports.live.map(({ sessionId }) => sessionId),
      handlers: {
        state: (reading) => {
          this.#seen = true;
          this.#reports.state(reading);
          this.#onReading(reading);
        },
        ended: (sessionId) => this.#reports.ended(sessionId, 'unloaded'),
        lost,
      },
    });
    try {
      await this.#observer.start();
      this.#backOff.reset();
      await over;
    } catch {
      // Tried again.
    }
  }
}
