import type { Row } from './row.ts';

/**
 * Rows for a person: who waits for you first, and of those who has waited longest; then working, starting and idle
 * ones (the newest idle first, since you may want to go on there), ended last.
 */
export function byAttention(rows: readonly Row[]): Row[] {
  return [...rows].sort(compare);
}

function compare(a: Row, b: Row): number {
  return a.look.rank - b.look.rank || bySince(a, b) || compareText(a.id, b.id);
}

function bySince(a: Row, b: Row): number {
  const difference = (a.since ?? a.seenAt ?? 0) - (b.since ?? b.seenAt ?? 0);
  return a.state === 'idle' && b.state === 'idle' ? -difference : difference;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
