import { tallyStates } from '../../../contract/summary.ts';
import type { Row } from '../row.ts';

/** The group of states that asks most of a person, for colours and classes. */
export type Urgency = 'waiting' | 'working' | 'idle' | 'none';

/** What a status bar shows first. */
export function urgencyOf(rows: readonly Row[]): Urgency {
  const { waiting, working } = tallyStates(rows.map(({ state }) => state));
  if (waiting > 0) return 'waiting';
  if (working > 0) return 'working';
  return rows.length > 0 ? 'idle' : 'none';
}

/** A group with its glyph and how many sessions are in it; only groups that are not empty. */
export interface GroupCount {
  group: Exclude<Urgency, 'none'>;
  glyph: string;
  count: number;
}

/** The groups in the order of attention, as the companion shows them: `!n ⚙n ◦n`. */
export function groupCounts(rows: readonly Row[]): GroupCount[] {
  const { waiting, working, idle } = tallyStates(rows.map(({ state }) => state));
  const groups: GroupCount[] = [
    { group: 'waiting', glyph: '!', count: waiting },
    { group: 'working', glyph: '⚙', count: working },
    { group: 'idle', glyph: '◦', count: idle },
  ];
  return groups.filter(({ count }) => count > 0);
}

/** The groups as one text: `!1 ⚙2`. */
export function countsText(rows: readonly Row[]): string {
  return groupCounts(rows)
    .map(({ glyph, count }) => `${glyph}${count}`)
    .join(' ');
}

/** Names of the sessions that wait for a person, who waits longest first. At most `most`, then `+n`. */
export function waitingNames(rows: readonly Row[], most: number): string[] {
  const names = rows.filter(({ look }) => look.rank === 0).map(({ name }) => name);
  return names.length > most ? [...names.slice(0, most), `+${names.length - most}`] : names;
}
