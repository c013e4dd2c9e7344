import { isUtf8 } from 'node:buffer';
import { LINE_LIMIT_BYTES, LineSplitter } from '../../contract/line-splitter.ts';
import { LineSkipper } from './line-skipper.ts';
import type { Direction } from './stream-line.ts';

/** Most lines that wait for the tracker; further ones are counted and dropped. */
export const TEE_QUEUE_LINES = 256;

/** Lines that were forwarded but not read, by reason. `tee_closed`: they came after the observer had stopped. */
export interface TeeCounters {
  tee_full: number;
  tee_closed: number;
  tee_oversize: number;
  tee_non_utf8: number;
}

/** What waits for the tracker: a line, or the news that one was lost. */
export type Offer = { direction: Direction; line: string } | { direction: Direction; dropped: true };

/** Cheap tests on the bytes of a line that tell that the tracker cannot need it. */
export interface TeeFilter {
  /** Asked when the beginning of the line is there, from `start` on to the end of the read: true passes it over. */
  skips(view: DataView, start: number): boolean;
  /** Asked when the line is whole, from `start` up to `end`: false passes it over. */
  wants(chunk: Buffer, start: number, end: number): boolean;
}

/**
 * The bounded queue between the byte pumps and the tracker. One queue for both directions keeps the order in which
 * lines passed. It never blocks and never grows: what finds no room is dropped and counted, and one
 * entry in its place tells of the loss.
 */
export class Tee {
  readonly counters: TeeCounters = { tee_full: 0, tee_closed: 0, tee_oversize: 0, tee_non_utf8: 0 };
  readonly #capacity: number;
  #queue: Offer[] = [];
  #closed = false;
  /** Called when something waits; may take it at once or later. */
  onWaiting: (() => void) | undefined;
  /** Called when the queue is full, to make room before a line is lost. */
  onFull: (() => void) | undefined;

  constructor(capacity = TEE_QUEUE_LINES) {
    this.#capacity = capacity;
  }

  /** The reader of one direction: takes the bytes as they pass. The unterminated tail of a stream is never offered. */
  reader(direction: Direction, filter?: TeeFilter): (chunk: Buffer) => void {
    const splitter = new LineSplitter(
      {
        line: (bytes) => this.#offer(direction, bytes),
        oversize: () => this.#lose(direction, 'tee_oversize'),
        ...(filter === undefined ? {} : { wants: filter.wants }),
      },
      { limit: LINE_LIMIT_BYTES - 1, stripCarriageReturn: false },
    );
    if (filter === undefined) return (chunk) => splitter.push(chunk);
    const skipper = new LineSkipper({
      next: (bytes) => splitter.push(bytes),
      skips: filter.skips,
      oversize: () => {
        this.counters.tee_oversize += 1;
      },
      limit: LINE_LIMIT_BYTES,
    });
    return (chunk) => skipper.push(chunk);
  }

  /** Everything that waits, oldest first. */
  take(): Offer[] {
    const taken = this.#queue;
    this.#queue = [];
    return taken;
  }

  /** From now on lines are only counted. */
  close(): void {
    this.#closed = true;
    this.#queue = [];
  }

  #offer(direction: Direction, bytes: Buffer): void {
    if (this.#closed) {
      this.counters.tee_closed += 1;
      return;
    }
    if (!isUtf8(bytes)) {
      this.#lose(direction, 'tee_non_utf8');
      return;
    }
    if (this.#queue.length >= this.#capacity) this.onFull?.();
    if (this.#queue.length >= this.#capacity) {
      this.#lose(direction, 'tee_full');
      return;
    }
    this.#enqueue({ direction, line: bytes.toString('utf8') });
  }

  #lose(direction: Direction, reason: keyof TeeCounters): void {
    this.counters[reason] += 1;
    const last = this.#queue.at(-1);
    const isTold = last !== undefined && 'dropped' in last && last.direction === direction;
    if (!this.#closed && !isTold) this.#enqueue({ direction, dropped: true });
  }

  #enqueue(offer: Offer): void {
    this.#queue.push(offer);
    this.onWaiting?.();
  }
}
