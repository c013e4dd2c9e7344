/**
 * What came of one signal of an agent. `missing`: it did not come, so a feed of ours that reads it is blind to it. `new`:
 * something came that nobody here knows; it changes nothing, and may be an update's new word for an old thing.
 */
export type SignalResult = 'ok' | 'missing' | 'new';

/** One thing that an agent says or writes, and that a feed of ours reads. */
export interface Signal {
  /** Which of our feeds reads it. */
  feed: string;
  name: string;
  result: SignalResult;
  /** What is wrong, as a sentence's beginning; on everything that is not ok. */
  note?: string;
}

/** A whole self-test. */
export interface SelftestReport {
  agent: 'claude' | 'codex';
  program: string;
  version: string | undefined;
  /** False when any signal is missing. */
  ok: boolean;
  /** Why the turn did not come to its end, when it did not. */
  problem?: string;
  /** What could not be tried here, and why. */
  skipped?: string[];
  took_ms: number;
  signals: Signal[];
}

/** Judges one signal: here, or missing with a note. */
export function signal(feed: string, name: string, isHere: boolean, note: string): Signal {
  return isHere ? { feed, name, result: 'ok' } : { feed, name, result: 'missing', note };
}

/** Judges words that nobody knows. */
export function newWords(feed: string, name: string, words: readonly string[]): Signal {
  if (words.length === 0) return { feed, name, result: 'ok' };
  return { feed, name, result: 'new', note: `not known here: ${words.join(', ')}` };
}
