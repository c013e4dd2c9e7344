import net from 'node:net';
import { BackOff } from './back-off.ts';
import { decodeReply, encodeRequest } from './client.ts';
import { LineSplitter } from './line-splitter.ts';
import { type SessionEntry, type SnapshotPayload, sessionsRequest } from './messages.ts';

export interface SubscriptionHandlers {
  /** A whole snapshot: replaces whatever was known. */
  snapshot(payload: SnapshotPayload): void;
  /** True with the first good frame of a connection, false when a connection is lost or refused. */
  connected?(up: boolean): void;
  /**
   * The daemon answered that it cannot stream: poll `list` instead. The same daemon is not asked again. The connection
   * stays open for as long as that daemon lives; when it closes another daemon may have come, and that one is asked.
   */
  unsupported?(reason: string): void;
  /** A frame that is none: reported and skipped, the last snapshot stays. The text holds no frame content. */
  badFrame?(reason: string): void;
}

/** A daemon that hangs up this soon after a refusal did not go away: asking it again at once would earn the same. */
const REFUSAL_SETTLES_MS = 2_000;
const AFTER_REFUSAL_MS = 10_000;

/** Milliseconds between two frames; by the size of the last one in bytes, where large ones are to come less often. */
export type FramePeriod = number | ((frameBytes: number) => number);

export interface SubscriptionOptions {
  /**
   * Takes at most one frame per so many milliseconds, the newest, and reads nothing in between: the daemon merges what
   * a slow reader leaves. Frames are whole, so nothing is lost. Default 0.
   */
  everyMs?: FramePeriod;
  random?: () => number;
  backOff?: BackOff;
}

/** True when an `ok` payload has the shape of a snapshot. Rows that are not objects with id and state are dropped. */
export function asSnapshot(payload: unknown): SnapshotPayload | undefined {
  if (typeof payload !== 'object' || payload === null || !('sessions' in payload)) return undefined;
  if (!Array.isArray(payload.sessions)) return undefined;
  return { sessions: payload.sessions.filter(isEntry) };
}

function isEntry(row: unknown): row is SessionEntry {
  return (
    typeof row === 'object' &&
    row !== null &&
    'session_id' in row &&
    typeof row.session_id === 'string' &&
    'state' in row &&
    typeof row.state === 'string'
  );
}

/**
 * A `subscribe` stream that reconnects by itself (0.5 s doubling to 10 s, spread by up to half). It writes exactly one
 * line per connection, since any further line cancels the stream.
 */
export class Subscription {
  readonly #socketPath: string;
  readonly #handlers: SubscriptionHandlers;
  readonly #random: () => number;
  readonly #backOff: BackOff;
  readonly #everyMs: FramePeriod;
  #connection: net.Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #refusedAt: number | undefined;

  constructor(socketPath: string, handlers: SubscriptionHandlers, options: SubscriptionOptions = {}) {
    this.#socketPath = socketPath;
    this.#handlers = handlers;
    this.#random = options.random ?? Math.random;
    this.#backOff = options.backOff ?? new BackOff();
    this.#everyMs = options.everyMs ?? 0;
    this.#connect();
  }

  /** Connects now instead of waiting for the back-off. */
  retry(): void {
    if (this.#closed || this.#connection !== undefined) return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#connection?.destroy();
  }

  #connect(): void {
    const connection = net.createConnection({ path: this.#socketPath });
    this.#connection = connection;
    let up = false;
    const frames = new NewestFrame(this.#everyMs, connection, (bytes) => {
      if (this.#frame(bytes) && !up) {
        up = true;
        this.#backOff.reset();
        this.#handlers.connected?.(true);
      }
    });
    const splitter = new LineSplitter({
      line: (bytes) => frames.push(bytes),
      oversize: () => this.#handlers.badFrame?.('a frame is over the line limit'),
    });
    connection.on('connect', () => connection.write(encodeRequest(sessionsRequest('subscribe'))));
    connection.on('data', (chunk) => splitter.push(chunk));
    connection.on('error', () => {});
    connection.on('close', () => {
      this.#connection = undefined;
      frames.close();
      if (this.#closed) return;
      this.#handlers.connected?.(false);
      this.#timer = setTimeout(() => this.#connect(), this.#reconnectDelay());
    });
  }

  #reconnectDelay(): number {
    const refusedAt = this.#refusedAt;
    this.#refusedAt = undefined;
    if (refusedAt !== undefined && performance.now() - refusedAt < REFUSAL_SETTLES_MS)
      return AFTER_REFUSAL_MS;
    return this.#backOff.next(this.#random());
  }

  /** Handles one frame; true when it was a snapshot. */
  #frame(bytes: Buffer): boolean {
    const reply = decodeReply(bytes);
    if (reply === undefined) {
      this.#handlers.badFrame?.('a frame is not a reply');
      return false;
    }
    if (!reply.ok) {
      this.#refusedAt = performance.now();
      this.#handlers.unsupported?.(reply.error);
      return false;
    }
    const snapshot = asSnapshot(reply.payload);
    if (snapshot === undefined) {
      this.#handlers.badFrame?.('a frame holds no sessions');
      return false;
    }
    this.#handlers.snapshot(snapshot);
    return true;
  }
}

/** Passes frames on at most once per period: the first at once, of those that follow within the period the newest. */
class NewestFrame {
  readonly #everyMs: FramePeriod;
  readonly #connection: net.Socket;
  readonly #pass: (bytes: Buffer) => void;
  #held: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: FramePeriod, connection: net.Socket, pass: (bytes: Buffer) => void) {
    this.#everyMs = everyMs;
    this.#connection = connection;
    this.#pass = pass;
  }

  push(bytes: Buffer): void {
    if (this.#timer !== undefined) {
      this.#held = bytes;
      return;
    }
    const everyMs = typeof this.#everyMs === 'number' ? this.#everyMs : this.#everyMs(bytes.length);
    if (everyMs > 0) {
      this.#connection.pause();
      this.#timer = setTimeout(() => this.#periodOver(), everyMs);
    }
    this.#pass(bytes);
  }

  /** Drops what is held: a connection that is gone makes no frame newer. */
  close(): void {
    clearTimeout(this.#timer);
    this.#held = undefined;
  }

  #periodOver(): void {
    this.#timer = undefined;
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) this.#connection.resume();
    else this.push(held);
  }
}
