import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientInfo, ObserverConnection } from '../../agents/codex/observer-connection.ts';
import { ThreadObserver } from '../../agents/codex/thread-observer.ts';
import type { SessionReading } from '../../agents/codex/thread-tracker.ts';
import type { TextTransport } from '../../agents/codex/transport.ts';
import { BackOff } from '../../contract/back-off.ts';
import type { PrivateServer } from './private-server.ts';
import type { SessionReports } from './session-reports.ts';

/** How the terminal interface introduces itself. The first client to do so names the server for good. */
const INTERFACE_NAME = 'codex-tui';
const CONNECT_MS = 5_000;

/**
 * Gives the server its name, before the interface or our observer can: says hello as the interface does. Resolves with
 * the server's version, which is the interface's too. The hello leaves before this returns.
 */
export async function primeServer(transport: TextTransport): Promise<string | undefined> {
  const connection = new ObserverConnection(transport, { notification: () => {}, closed: () => {} });
  try {
    const hello = await connection.initialize({ name: INTERFACE_NAME, version: '0.0.0' });
    return hello.serverVersion;
  } finally {
    connection.close();
  }
}

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
  async run(version: string | undefined): Promise<void> {
    const client = { name: INTERFACE_NAME, version: version ?? '0.0.0' };
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

  /** Observes over one connection until it is lost. */
  async #observeOnce(client: ClientInfo): Promise<void> {
    const transport = await this.#server.connect(CONNECT_MS);
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
