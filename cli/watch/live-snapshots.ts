import { sendRequest } from '../../contract/client.ts';
import { type SnapshotPayload, sessionsRequest } from '../../contract/messages.ts';
import { asSnapshot, Subscription } from '../../contract/subscription.ts';

export interface LiveHandlers {
  snapshot(payload: SnapshotPayload): void;
  /** False while no daemon answers. Called on changes only. */
  connected(up: boolean): void;
}

export interface LiveOptions {
  /** How often a daemon that cannot stream is asked instead. Default 10 s. */
  pollMs?: number;
  /** At most one snapshot per so many milliseconds, the newest. Default 0: every one. */
  everyMs?: number;
}

/**
 * The sessions as they change: a stream that reconnects by itself, or a poll of `list` where the daemon cannot stream.
 */
export class LiveSnapshots {
  readonly #socket: string;
  readonly #handlers: LiveHandlers;
  readonly #subscription: Subscription;
  readonly #pollMs: number;
  #timer: NodeJS.Timeout | undefined;
  #up: boolean | undefined;
  #polling = false;
  #closed = false;

  constructor(socket: string, handlers: LiveHandlers, options: LiveOptions = {}) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#pollMs = options.pollMs ?? 10_000;
    this.#subscription = new Subscription(
      socket,
      {
        snapshot: (payload) => this.#snapshot(payload),
        connected: (up) => {
          if (!up) this.#stopPolling();
          this.#connected(up);
        },
        unsupported: () => this.#startPolling(),
      },
      { everyMs: options.everyMs ?? 0 },
    );
  }

  close(): void {
    this.#closed = true;
    this.#stopPolling();
    this.#subscription.close();
  }

  #startPolling(): void {
    if (this.#polling) return;
    this.#polling = true;
    void this.#poll();
  }

  #stopPolling(): void {
    this.#polling = false;
    clearTimeout(this.#timer);
  }

  async #poll(): Promise<void> {
    const snapshot = await this.#list();
    if (!this.#polling) return;
    if (snapshot === undefined) this.#connected(false);
    else this.#snapshot(snapshot);
    this.#timer = setTimeout(() => void this.#poll(), this.#pollMs);
  }

  async #list(): Promise<SnapshotPayload | undefined> {
    try {
      const reply = await sendRequest(this.#socket, sessionsRequest('list'));
      return reply.ok ? asSnapshot(reply.payload) : undefined;
    } catch {
      return undefined;
    }
  }

  #snapshot(payload: SnapshotPayload): void {
    if (this.#closed) return;
    this.#connected(true);
    this.#handlers.snapshot(payload);
  }

  #connected(up: boolean): void {
    if (this.#closed || up === this.#up) return;
    this.#up = up;
    this.#handlers.connected(up);
  }
}
