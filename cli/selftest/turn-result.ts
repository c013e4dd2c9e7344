import type { Signal } from './signals.ts';

/** What a scripted turn came to. */
export interface TurnResult {
  signals: Signal[];
  /** Why the turn did not come to its end. */
  problem?: string;
  /** What could not be tried here, and why. */
  skipped?: string[];
}
