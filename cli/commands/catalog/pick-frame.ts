import type { Session } from '../../../catalog/session.ts';
import { cellWidth, cut, fitCell } from '../../view/cells.ts';
import type { Paint } from '../../view/paint.ts';
import { evidenceSummary } from './details.ts';
import type { PickModel } from './pick-model.ts';
import { AGENT_NAMES, ago, placeOf, STATE_TONES, shown, titleOf } from './table.ts';

export interface PickSurroundings {
  columns: number;
  rows: number;
  paint: Paint;
  /** Wall clock, ms since 1970. */
  now: number;
}

/** Lines of the preview, its rule included; on a low screen there is none. */
const PREVIEW_ROWS = 9;
const LOWEST_WITH_PREVIEW = 16;
const PLACE_WIDTH = 24;
const SHORTEST_PLACE = 10;
/** Cells that the other columns and a readable title take. */
const TITLE_ROOM = 50;
const KEYS = 'enter resume  up/down choose  esc quit';

/** Rows of the list on a screen of this height. */
export function listRows(rows: number): number {
  const preview = rows >= LOWEST_WITH_PREVIEW ? PREVIEW_ROWS : 0;
  return Math.max(1, rows - 2 - preview);
}

/**
 * The whole screen, line by line, none wider than the screen less one cell: erasing what is behind a line would take
 * the last cell with it. Scrolls the model so that the selected session is on it.
 */
export function renderPick(model: PickModel, screen: PickSurroundings): string[] {
  const around = { ...screen, columns: Math.max(1, screen.columns - 1) };
  const height = listRows(around.rows);
  if (model.selected < model.top) model.top = model.selected;
  if (model.selected >= model.top + height) model.top = model.selected - height + 1;
  model.top = Math.max(0, Math.min(model.top, model.matches.length - height));
  const rows = model.matches
    .slice(model.top, model.top + height)
    .map(({ session }, index) => listLine(session, model.top + index === model.selected, around));
  while (rows.length < height) rows.push('');
  const lines = [queryLine(model, around), ...rows];
  if (around.rows >= LOWEST_WITH_PREVIEW) lines.push(...preview(model, around));
  lines.push(around.paint.dim(cut(model.message === '' ? KEYS : model.message, around.columns)));
  return lines.slice(0, around.rows);
}

function queryLine(model: PickModel, { columns, paint }: PickSurroundings): string {
  const reading = model.unread > 0 ? `, ${model.unread} to read` : '';
  const similar = model.similar ? 'similar: ' : '';
  const count = `${similar}${model.matches.length} of ${model.entries.length}${reading}`;
  const room = Math.max(4, columns - cellWidth(count) - 5);
  const query = shown(model.query.replace(/ /g, '\u00a0')).replace(/\u00a0/g, ' ');
  const width = cellWidth(query);
  // The end of a long query is what is being typed.
  const typed = width > room ? `…${[...query].slice(-(room - 1)).join('')}` : query;
  return `${paint.heading('> ')}${fitCell(`${typed}▏`, room + 1)}  ${paint.dim(count)}`;
}

function listLine(session: Session, isSelected: boolean, { columns, paint, now }: PickSurroundings): string {
  // On a narrow screen the title counts more than the place.
  const placeWidth = Math.min(PLACE_WIDTH, columns - TITLE_ROOM);
  const before = [
    isSelected ? '›' : ' ',
    fitCell(AGENT_NAMES[session.harness], 6),
    fitCell(ago(session.lastActivityAt, now), 6),
    ...(placeWidth < SHORTEST_PLACE ? [] : [fitCell(placeOf(session), placeWidth)]),
  ].join(' ');
  const mark = session.state === 'running' ? ' (running)' : '';
  const line = fitCell(`${before}  ${titleOf(session)}${mark}`, columns);
  if (isSelected) return paint.selected(line);
  return session.state === 'resumable' ? line : paint.tone(STATE_TONES[session.state], line);
}

function preview(model: PickModel, around: PickSurroundings): string[] {
  const { columns, paint, now } = around;
  const lines = [paint.dim('─'.repeat(columns))];
  const session = model.matches[model.selected]?.session;
  if (session !== undefined) {
    lines.push(
      paint.heading(cut(titleOf(session), columns)),
      cut(
        `${AGENT_NAMES[session.harness]}:${shown(session.id)}  ${session.state}${session.archived ? ', archived' : ''}`,
        columns,
      ),
      cut(timesLine(session, now), columns),
      cut(`in ${shown(session.cwd ?? '-')}  ${shown(session.repository ?? '')}`, columns),
      ...session.recentPrompts.map((prompt) => cut(`> ${shown(prompt)}`, columns)),
      ...(model.evidence === undefined ? [] : [paint.dim(cut(evidenceSummary(model.evidence), columns))]),
    );
  }
  while (lines.length < PREVIEW_ROWS) lines.push('');
  return lines.slice(0, PREVIEW_ROWS);
}

function timesLine({ lastActivityAt, lastHumanActivityAt, createdAt }: Session, now: number): string {
  const times = { active: lastActivityAt, typed: lastHumanActivityAt, started: createdAt };
  return Object.entries(times)
    .filter(([, time]) => time !== undefined)
    .map(([what, time]) => `${what} ${ago(time, now)} ago`)
    .join(', ');
}
