/** What the daemon does with one accepted journal, given what it knows of it. */
export type JournalCare = 'keep' | 'delete' | 'compact';

export interface JournalCondition {
  /** The registry holds the session as live. */
  sessionLive: boolean;
  /** Time since the last write, in milliseconds. */
  quietMs: number;
  bytes: number;
  /** Every record up to the end of the file was read. */
  fullyRead: boolean;
}

const QUIET_MS = 120_000;
const MAX_QUIET_MS = 7 * 24 * 3_600_000;
export const COMPACT_ABOVE_BYTES = 128 * 1024;
export const COMPACT_TO_BYTES = 64 * 1024;

/** A journal goes when its session is gone and it rests, or when it rested for a week; a long one is cut. */
export function careForJournal(journal: JournalCondition): JournalCare {
  if (journal.quietMs > MAX_QUIET_MS) return 'delete';
  if (!journal.sessionLive && journal.quietMs > QUIET_MS) return 'delete';
  return journal.bytes > COMPACT_ABOVE_BYTES && journal.fullyRead ? 'compact' : 'keep';
}

/** The part of a journal that compaction keeps, and the newest prompt record among what it cuts, put in front. */
export function compactJournal(content: string, isPrompt: (line: string) => boolean): string {
  const cut = content.indexOf('\n', Math.max(0, content.length - COMPACT_TO_BYTES));
  if (cut === -1) return content;
  const dropped = content.slice(0, cut + 1).split('\n');
  const kept = content.slice(cut + 1);
  const prompt = dropped.findLast((line) => line !== '' && isPrompt(line));
  return prompt === undefined ? kept : `${prompt}\n${kept}`;
}
