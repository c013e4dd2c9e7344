import { sendRequest } from '../../contract/client.ts';
import { type SnapshotPayload, sessionsRequest } from '../../contract/messages.ts';
import { asSnapshot, Subscription } from '../../contract/subscription.ts';

export interface LiveHandlers {
  snapshot(payload: SnapshotPayload): void;
  /** False while no daemon answers. Called on changes only. */
  connected(up: boolean): void;
}

/** How often a daemon that cannot stream is asked instead. */
const POLL_MS = 10_000;
/** Pause before a stream is tried again after a poll failed. */
const RETRY_MS = 500;

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

  constructor(socket: string, handlers: LiveHandlers, options: { pollMs?: number } = {}) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#pollMs = options.pollMs ?? POLL_MS;
    this.#subscription = new Subscription(socket, {
      snapshot: (payload) => this.#snapshot(payload),
      // The loss of a stream that was refused is no loss of the daemon: the poll says how it is.
      connected: (up) => {
        if (up || !this.#polling) this.#connected(up);
      },
      unsupported: () => {
        this.#polling = true;
        void this.#poll();
      },
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#subscription.close();
  }

  async #poll(): Promise<void> {
    const snapshot = await this.#list();
    if (this.#closed) return;
    if (snapshot === undefined) {
      // The daemon is gone; its successor may be one that streams.
      this.#connected(false);
      this.#timer = setTimeout(() => this.#streamAgain(), RETRY_MS);
      return;
    }
    this.#snapshot(snapshot);
    this.#timer = setTimeout(() => void this.#poll(), this.#pollMs);
  }

  #streamAgain(): void {
    this.#polling = false;
    this.#subscription.retry();
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
