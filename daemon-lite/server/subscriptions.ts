import type { TargetLog } from '../diagnostics/log.ts';

/** Why a subscription ended; the words are those of the diagnostics. */
export type StreamEnd = 'ClientCancel' | 'ClientEof' | 'ReadDecodeError' | 'DaemonShutdown' | 'WriteFailure';

/** Why a snapshot was taken. */
type Trigger = 'initial' | 'change_notification' | 'periodic_tick';

/** Where frames of one subscriber go. */
export interface FrameSink {
  /** Writes one frame; false when the client reads too slowly, until {@link Subscriber.drained}. */
  write(frame: Buffer): boolean;
}

export interface SubscriptionsOptions {
  /** The present snapshot as a finished line. */
  snapshot(): string;
  /** Calls back after every visible change; the result stops that. */
  onChange(listener: () => void): () => void;
  tickMs: number;
  log: TargetLog;
}

/** A snapshot may take up to a quarter of the daemon's time: the next one waits three times as long as it took. */
const REST_PER_WORK = 3;
/** Longest rest between two snapshots, however large they are. */
const MOST_REST_MS = 100;

/** One `subscribe` connection: what it was sent last, and whether it can take more. */
export class Subscriber {
  readonly #sink: FrameSink;
  readonly #log: TargetLog;
  #sent: Buffer | undefined;
  #latest: Buffer | undefined;
  #blocked = false;
  #pushed = 0;
  #suppressed = 0;

  constructor(sink: FrameSink, log: TargetLog) {
    this.#sink = sink;
    this.#log = log;
  }

  /** Sends the frame unless it is the last one sent. While the client is slow only the newest frame is kept. */
  offer(frame: Buffer, trigger: Trigger): void {
    const identical = this.#sent !== undefined && (this.#sent === frame || this.#sent.equals(frame));
    if (this.#log.enabled('trace'))
      this.#log.trace('subscription_sample', {
        trigger,
        result: identical ? 'suppressed_identical' : 'pushed',
      });
    this.#latest = undefined;
    if (identical) this.#suppressed++;
    else if (this.#blocked) this.#latest = frame;
    else this.#send(frame);
  }

  /** The client took everything: what changed meanwhile follows. */
  drained(): void {
    this.#blocked = false;
    const frame = this.#latest;
    this.#latest = undefined;
    if (frame !== undefined) this.#send(frame);
  }

  get counts(): { pushed: number; suppressed: number } {
    return { pushed: this.#pushed, suppressed: this.#suppressed };
  }

  #send(frame: Buffer): void {
    this.#sent = frame;
    this.#pushed++;
    this.#blocked = !this.#sink.write(frame);
  }
}

/**
 * Pushes snapshots to every subscriber: one serialisation per change, shared by all; a burst of changes is one wake-up;
 * a tick re-samples what changed silently (times, rows that aged out).
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #subscribers = new Set<Subscriber>();
  readonly #stopListening: () => void;
  #frame: Buffer | undefined;
  #tick: NodeJS.Timeout | undefined;
  #wake: NodeJS.Timeout | undefined;
  #restUntil = 0;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#stopListening = options.onChange(() => this.#changed());
  }

  get size(): number {
    return this.#subscribers.size;
  }

  /** Adds a subscriber and sends it the present snapshot. */
  add(sink: FrameSink): Subscriber {
    const subscriber = new Subscriber(sink, this.#options.log);
    this.#subscribers.add(subscriber);
    this.#tick ??= setInterval(() => this.#pushAll('periodic_tick'), this.#options.tickMs);
    subscriber.offer(this.#sample(), 'initial');
    return subscriber;
  }

  /** Ends a subscription. A failed write is worth a warning, everything else is everyday. */
  remove(subscriber: Subscriber, reason: StreamEnd): void {
    if (!this.#subscribers.delete(subscriber)) return;
    const fields = { reason, ...subscriber.counts };
    if (reason === 'WriteFailure') this.#options.log.warn('subscription_ended', fields);
    else this.#options.log.debug('subscription_ended', fields);
    if (this.#subscribers.size === 0) this.#rest();
  }

  stop(): void {
    this.#stopListening();
    this.#rest();
  }

  #rest(): void {
    clearInterval(this.#tick);
    clearTimeout(this.#wake);
    this.#tick = undefined;
    this.#wake = undefined;
    this.#frame = undefined;
  }

  #changed(): void {
    if (this.#wake !== undefined || this.#subscribers.size === 0) return;
    const wait = Math.max(0, this.#restUntil - performance.now());
    this.#wake = setTimeout(() => {
      this.#wake = undefined;
      this.#pushAll('change_notification');
    }, wait);
  }

  #pushAll(trigger: Trigger): void {
    const began = performance.now();
    const frame = this.#sample();
    for (const subscriber of this.#subscribers) subscriber.offer(frame, trigger);
    const ended = performance.now();
    this.#restUntil = ended + Math.min((ended - began) * REST_PER_WORK, MOST_REST_MS);
  }

  /** The present snapshot; the same buffer as before while nothing changed, so that comparing is cheap. */
  #sample(): Buffer {
    const frame = Buffer.from(this.#options.snapshot());
    if (this.#frame === undefined || !this.#frame.equals(frame)) this.#frame = frame;
    return this.#frame;
  }
}
