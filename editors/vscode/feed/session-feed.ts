import type { TransportError } from '../../../contract/client.ts';
import { sendRequest } from '../../../contract/client.ts';
import { type SessionEntry, sessionsRequest } from '../../../contract/messages.ts';
import { asSnapshot, type FramePeriod, Subscription } from '../../../contract/subscription.ts';
import type { Diagnostics } from '../diagnostics.ts';

/**
 * `connecting` until the first snapshot, `live` while the daemon streams, `polling` where it cannot, `unreachable`
 * when nobody has answered for {@link SessionFeedOptions.graceMs}.
 */
export type FeedStatus = 'connecting' | 'live' | 'polling' | 'unreachable';

export interface SessionFeedOptions {
  socket: string;
  /** Period of `list` where the daemon cannot stream. */
  pollMs: number;
  /** Snapshots are taken over at most this often; the newest wins. */
  everyMs: FramePeriod;
  /** A daemon that is away for less (a restart) leaves the rows as they are. */
  graceMs: number;
  diagnostics: Diagnostics;
  snapshot(sessions: SessionEntry[]): void;
  status(status: FeedStatus): void;
  /** A daemon answers after one was gone. It is another one: what the last was told it does not know. */
  newDaemon(): void;
}

/** The live set of sessions: by `subscribe`, or by `list` where the daemon predates it. Owns its timers and sockets. */
export class SessionFeed {
  readonly #options: SessionFeedOptions;
  readonly #subscription: Subscription;
  readonly #abort = new AbortController();
  #status: FeedStatus = 'connecting';
  #lost: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #polling = false;
  #hadDaemon = false;
  #closed = false;

  constructor(options: SessionFeedOptions) {
    this.#options = options;
    const { diagnostics } = options;
    this.#startGrace();
    this.#subscription = new Subscription(
      options.socket,
      {
        snapshot: ({ sessions }) => {
          diagnostics.good('subscribe');
          this.#stopPolling();
          this.#take(sessions, 'live');
        },
        connected: (up) => this.#connected(up),
        unsupported: (reason) => {
          diagnostics.bad('subscribe', `subscribe_unsupported: ${reason}; polling list instead`);
          this.#answered();
          this.#startPolling();
        },
        badFrame: (reason) =>
          diagnostics.bad('frame', `subscribe_bad_frame: ${reason}; the last snapshot stays`),
      },
      { everyMs: options.everyMs },
    );
  }

  /** Tries again now instead of waiting for the back-off or the next poll. */
  retry(): void {
    this.#subscription.retry();
    if (this.#polling) void this.#pollOnce();
  }

  close(): void {
    this.#closed = true;
    this.#subscription.close();
    this.#stopPolling();
    clearTimeout(this.#lost);
    this.#abort.abort();
  }

  #connected(up: boolean): void {
    if (up) {
      this.#options.diagnostics.note(`subscribe_connected: ${this.#options.socket}`);
      this.#answered();
      return;
    }
    this.#options.diagnostics.bad('subscribe', 'subscribe_disconnected: trying again');
    // Where list is polled, its replies say whether the daemon is there.
    if (!this.#polling) this.#startGrace();
  }

  /** Called once per connection. */
  #answered(): void {
    if (this.#hadDaemon) this.#options.newDaemon();
    this.#hadDaemon = true;
  }

  #take(sessions: SessionEntry[], status: FeedStatus): void {
    clearTimeout(this.#lost);
    this.#lost = undefined;
    this.#options.diagnostics.good('frame');
    this.#options.snapshot(sessions);
    this.#setStatus(status);
  }

  #startGrace(): void {
    this.#lost ??= setTimeout(() => this.#setStatus('unreachable'), this.#options.graceMs);
  }

  #setStatus(status: FeedStatus): void {
    if (this.#closed || status === this.#status) return;
    this.#status = status;
    this.#options.status(status);
  }

  #startPolling(): void {
    if (this.#polling || this.#closed) return;
    this.#polling = true;
    void this.#pollOnce();
  }

  #stopPolling(): void {
    this.#polling = false;
    clearTimeout(this.#poll);
  }

  async #pollOnce(): Promise<void> {
    clearTimeout(this.#poll);
    const { socket, diagnostics } = this.#options;
    try {
      const reply = await sendRequest(socket, sessionsRequest('list'), { signal: this.#abort.signal });
      if (!this.#polling) return;
      const snapshot = reply.ok ? asSnapshot(reply.payload) : undefined;
      if (snapshot !== undefined) this.#take(snapshot.sessions, 'polling');
      else diagnostics.bad('list', `list_rejected: ${reply.ok ? 'no sessions in the reply' : reply.error}`);
    } catch (error) {
      if (!this.#polling) return;
      diagnostics.bad('list', `list_unreachable: ${(error as TransportError).code}`);
      this.#startGrace();
    }
    if (!this.#polling) return;
    clearTimeout(this.#poll);
    this.#poll = setTimeout(() => void this.#pollOnce(), this.#options.pollMs);
  }
}
