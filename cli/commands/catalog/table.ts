import type { CatalogState, Session } from '../../../catalog/session.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import { cellText, cellWidth, cut, fitCell } from '../../view/cells.ts';
import { shortDuration } from '../../view/duration.ts';
import type { Paint } from '../../view/paint.ts';
import type { Tone } from '../../view/states.ts';

/** How each state is shown. */
export const STATE_TONES: Readonly<Record<CatalogState, Tone>> = {
  running: 'active',
  resumable: 'quiet',
  unknown: 'muted',
};

/** Short names of the harnesses. */
export const AGENT_NAMES = { 'claude-code': 'claude', codex: 'codex', pi: 'pi' } as const;

const HEADINGS = ['ID', 'AGENT', 'STATE', 'ACTIVE', 'TYPED', 'WHERE', 'TITLE'] as const;
const WHERE_WIDTH = 28;
const GAP = '  ';

/** A text of unknown origin on one line, without anything that drives or reorders a terminal. */
export function shown(text: string): string {
  return cellText(sanitize(text.replace(/\s+/g, ' '))).trim();
}

/** How long ago an RFC 3339 time was; `-` when there is none. */
export function ago(time: string | undefined, now: number): string {
  return time === undefined ? '-' : shortDuration(now - Date.parse(time));
}

/** Where a session belongs: its repository, else its directory. */
export function placeOf(session: Session): string {
  return shown(session.repository ?? session.cwd ?? '-');
}

/** The title, or what stands in its place. A fork has its parent's first prompt: its own last one tells it apart. */
export function titleOf(session: Session): string {
  const last = session.recentPrompts.at(-1);
  const title = shown(session.title ?? last ?? '') || '(no prompt yet)';
  const isFork = session.links?.forkedFrom !== undefined && session.titleSource === 'first-prompt';
  return isFork && last !== undefined && shown(last) !== title ? `${title} (fork: ${shown(last)})` : title;
}

/**
 * The table of `sessions find`.
 *
 * @param idOf the shortest part of an id that stands for the session
 * @param width cells of the terminal, or undefined when lines may be as long as they are
 */
export function sessionTable(
  sessions: readonly Session[],
  options: { paint: Paint; now: number; width: number | undefined; idOf(session: Session): string },
): string[] {
  const { paint, now, width } = options;
  const rows = sessions.map((session) => [
    shown(options.idOf(session)),
    AGENT_NAMES[session.harness],
    session.archived ? `${session.state}*` : session.state,
    ago(session.lastActivityAt, now),
    ago(session.lastHumanActivityAt, now),
    cut(placeOf(session), WHERE_WIDTH),
    titleOf(session),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => cellWidth(row[column] ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, cells) => sum + cells + GAP.length, 0);
  const titleWidth = width === undefined ? undefined : Math.max(10, width - before);
  const line = (cells: readonly string[], tone?: Tone) =>
    cells
      .map((cell, column) => {
        if (column === HEADINGS.length - 1) return titleWidth === undefined ? cell : cut(cell, titleWidth);
        const padded = fitCell(cell, widths[column] ?? 0);
        return column === 2 && tone !== undefined ? paint.tone(tone, padded) : padded;
      })
      .join(GAP);
  return [
    paint.heading(line(HEADINGS)),
    ...rows.map((row, index) => line(row, STATE_TONES[sessions[index]?.state ?? 'unknown'])),
  ];
}

/** Characters of an id that are always shown. */
const SHORTEST_ID = 8;

/** For each of some ids the shortest part, eight characters or more, that no other id of all begins with. */
export function shortIds(some: readonly string[], all: readonly string[]): Map<string, string> {
  const alike = new Map(some.map((id) => [id.slice(0, SHORTEST_ID), [] as string[]]));
  for (const id of all) alike.get(id.slice(0, SHORTEST_ID))?.push(id);
  return new Map(some.map((id) => [id, shortId(id, alike.get(id.slice(0, SHORTEST_ID)) ?? [])]));
}

function shortId(id: string, alike: readonly string[]): string {
  for (let length = SHORTEST_ID; length < id.length; length += 2) {
    const part = id.slice(0, length);
    if (!alike.some((other) => other !== id && other.startsWith(part))) return part;
  }
  return id;
}
