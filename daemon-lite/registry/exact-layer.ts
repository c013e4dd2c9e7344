import {
  type Background,
  type Feed,
  isBusy,
  type Outcome,
  type SessionEvent,
  type SessionState,
} from '../../contract/events.ts';
import { DRIFT_MS, EXACT_SILENCE_MS } from './limits.ts';
import type { ProcessId } from './ownership.ts';

/** One report of an exact feed. Times are milliseconds, wall and awake. */
export interface ExactReport {
  feed: Feed;
  state: SessionState;
  process: ProcessId | undefined;
  background?: Background | undefined;
  outcome?: Outcome | undefined;
  wall: number;
  awake: number;
}

/**
 * What one exact feed last said about a session, and whether it still decides. A feed decides while it is attached: a
 * Claude stream re-reports only busy states, so its rest holds without a word; every other exact feed re-asserts every
 * state.
 */
export class ExactLayer {
  readonly feed: Feed;
  state: SessionState;
  process: ProcessId | undefined;
  background: Background | undefined;
  outcome: Outcome | undefined;
  #reportedWall: number;
  #reportedAwake: number;
  /** Wall time until which the feed was last busy; undefined when it never was. */
  #busyUntil: number | undefined;
  #driftAt: number | undefined;
  #lost = false;

  constructor(report: ExactReport) {
    this.feed = report.feed;
    this.state = report.state;
    this.process = report.process;
    this.background = report.background;
    this.outcome = report.outcome;
    this.#reportedWall = report.wall;
    this.#reportedAwake = report.awake;
  }

  get lastEvent(): SessionEvent {
    return { stream_state: this.state };
  }

  get reportedAwake(): number {
    return this.#reportedAwake;
  }

  /** Takes the next report: the feed is attached again, whatever was held against it. */
  report(report: ExactReport): void {
    if (isBusy(this.state)) this.#busyUntil = report.wall;
    this.state = report.state;
    this.process = report.process ?? this.process;
    this.background = report.background;
    this.outcome = report.outcome;
    this.#reportedWall = report.wall;
    this.#reportedAwake = report.awake;
    this.#driftAt = undefined;
    this.#lost = false;
  }

  /** The connection behind the feed is gone: it no longer decides until it reports again. */
  lose(): void {
    this.#lost = true;
  }

  /**
   * A prompt hook stamped at `at` was seen. If the feed said "idle" then, had not been busy shortly before, and has
   * said nothing since, it must confirm the prompt soon or it no longer understands its stream.
   */
  promptSeen(at: number, now: { wall: number; awake: number }): void {
    if (this.state !== 'idle' || this.#reportedWall > at || this.#driftAt !== undefined) return;
    if (this.#busyUntil !== undefined && at - this.#busyUntil < DRIFT_MS) return;
    this.#driftAt = now.awake + Math.max(0, DRIFT_MS - Math.max(0, now.wall - at));
  }

  /** Awake time at which the feed stops deciding unless it reports, or undefined. */
  get detachesAt(): number | undefined {
    if (this.#lost) return Number.NEGATIVE_INFINITY;
    const holdsSilently = this.feed === 'claude_stream' && !isBusy(this.state);
    const silentAt = holdsSilently ? undefined : this.#reportedAwake + EXACT_SILENCE_MS;
    if (this.#driftAt === undefined) return silentAt;
    return silentAt === undefined ? this.#driftAt : Math.min(silentAt, this.#driftAt);
  }

  attached(awake: number): boolean {
    const at = this.detachesAt;
    return at === undefined || awake <= at;
  }

  /** Why the feed does not decide. */
  get detachedBecause(): string {
    if (this.#lost) return 'its connection is lost';
    if (this.#driftAt !== undefined) return 'it did not confirm a prompt that a hook reported';
    return `it was silent for more than ${EXACT_SILENCE_MS / 1000} s`;
  }
}
