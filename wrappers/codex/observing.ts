import type { SessionReading } from '../../agents/codex/thread-tracker.ts';
import type { ServerObserver } from './observer.ts';
import type { PrivateServer } from './private-server.ts';
import type { SessionReports } from './session-reports.ts';

/**
 * The interface has this long for itself before its server is spoken to: a server's first greeting keeps a core busy. The
 * interface draws its screen in about this time, and greets the server 0.2 to 0.5 s later; both greet under one name, so
 * that it does not matter who is first.
 */
const FIRST_MS = 400;

/**
 * The observer of a private server, from a moment after the interface's start on. What it consists of is a file of its
 * own in the build and loaded then: reading it sooner would keep server and interface waiting.
 */
export class Observing {
  #observer: ServerObserver | undefined;
  #closed = false;
  readonly #timer: NodeJS.Timeout;

  /** @param onReading told of every reading that is reported */
  constructor(server: PrivateServer, reports: SessionReports, onReading: (reading: SessionReading) => void) {
    // Nothing that goes wrong there may reach the interface.
    process.on('uncaughtException', () => this.close());
    process.on('unhandledRejection', () => {});
    this.#timer = setTimeout(() => void this.#begin(server, reports, onReading), FIRST_MS);
  }

  /** True once the server had any session. */
  get hasSeenSessions(): boolean {
    return this.#observer?.hasSeenSessions ?? false;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#observer?.close();
  }

  async #begin(...args: ConstructorParameters<typeof ServerObserver>): Promise<void> {
    const { ServerObserver } = await import('./observer.ts');
    if (this.#closed) return;
    this.#observer = new ServerObserver(...args);
    await this.#observer.run();
  }
}
