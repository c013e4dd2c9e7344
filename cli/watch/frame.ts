import { summarizeStates } from '../../contract/summary.ts';
import { cellText, cellWidth, cut, fitCell, fitPath, padStart } from '../view/cells.ts';
import { shortDuration } from '../view/duration.ts';
import { stateCell } from '../view/list-table.ts';
import type { Paint } from '../view/paint.ts';
import type { Row } from '../view/row.ts';
import { shownRows, type WatchModel } from './model.ts';

export interface FrameSize {
  columns: number;
  rows: number;
}

/** What a frame is drawn from besides the model. */
export interface FrameSurroundings {
  size: FrameSize;
  /** Wall-clock milliseconds. */
  now: number;
  /** Shown as `~` in paths; '' for none. */
  home: string;
  paint: Paint;
  /** Shown in the first line: what is watched when it is not this machine's own sessions. */
  label?: string | undefined;
  /** Lines shown while there is no session. */
  emptyHint: readonly string[];
  /** Whether the enter key jumps to where the selected session runs. */
  canFocus?: boolean;
}

/** Lines of a frame that hold no session: title, column heads, key help. */
const FIXED_LINES = 3;

/** How many sessions a screen shows at once. */
export function pageRows(size: FrameSize): number {
  return Math.max(1, size.rows - FIXED_LINES);
}

/**
 * The whole screen as lines, none wider than the screen less one cell: a terminal that has written its last column is
 * in a state that erasing would harm.
 */
export function renderFrame(model: WatchModel, around: FrameSurroundings): string[] {
  const width = Math.max(1, around.size.columns - 1);
  const rows = shownRows(model);
  const visible = windowOf(rows, model.selected, pageRows(around.size));
  const body =
    rows.length === 0 ? emptyBody(model, around, width) : tableBody(model, visible.rows, around, width);
  const lines = [titleLine(model, around, width), ...body.slice(0, around.size.rows - 2)];
  while (lines.length < around.size.rows - 1) lines.push('');
  return [...lines, footer(model, visible, rows.length, around, width)].slice(0, around.size.rows);
}

function titleLine(model: WatchModel, around: FrameSurroundings, width: number): string {
  const state = connectionText(model);
  const what = around.label === undefined ? 'omni-dev' : `omni-dev  ${around.label}`;
  const summary = model.loaded ? `  ${summarizeStates(model.rows.map((row) => row.state))}` : '';
  const left = fitCell(what + summary, width - cellWidth(state) - 1);
  const right = model.connected ? around.paint.dim(state) : around.paint.warning(state);
  return width <= cellWidth(state) + 1 ? cut(what, width) : `${around.paint.heading(left)} ${right}`;
}

function connectionText(model: WatchModel): string {
  if (model.connected) return 'live';
  return model.loaded ? 'reconnecting…' : 'connecting…';
}

interface Column {
  head: string;
  width: number;
  cell(row: Row, around: FrameSurroundings): string;
}

/** The columns that fitCell, most telling first to be kept. Left-over width goes to the folder. */
function columnsFor(width: number): Column[] {
  const state: Column = {
    head: '  STATE',
    width: 16,
    cell: (row) => `${row.look.glyph} ${fitCell(cellText(stateWord(row)), 14)}`,
  };
  const since: Column = {
    head: '   FOR',
    width: 6,
    cell: (row, { now }) => padStart(row.since === undefined ? '-' : shortDuration(now - row.since), 6),
  };
  const agent: Column = { head: 'AGENT', width: 6, cell: (row) => fitCell(row.agent, 6) };
  const place: Column = {
    head: 'SOURCE',
    width: 8,
    cell: (row) => fitCell(row.inWindow ? 'vscode' : 'terminal', 8),
  };
  const nameWidth = width >= 100 ? 24 : 16;
  const name: Column = {
    head: 'NAME',
    width: nameWidth,
    cell: (row) => fitCell(cellText(row.name), nameWidth),
  };
  const model: Column = { head: 'MODEL', width: 18, cell: (row) => fitCell(cellText(row.model ?? '-'), 18) };
  const wanted = [state, since, ...(width >= 45 ? [agent] : []), ...(width >= 60 ? [place] : []), name];
  if (width >= 100) wanted.push(model);
  const fixed = fitting(wanted, width);
  const left = width - used(fixed) - 1;
  if (left < 8) return fixed;
  return [
    ...fixed,
    { head: 'FOLDER', width: left, cell: (row, { home }) => fitPath(folderText(row, home), left) },
  ];
}

/** As {@link stateCell}, with the live table's shorter words. */
function stateWord(row: Row): string {
  return row.state === 'idle' || row.stale ? stateCell(row) : row.look.word;
}

function fitting(columns: readonly Column[], width: number): Column[] {
  const kept = [...columns];
  while (kept.length > 1 && used(kept) > width) kept.pop();
  return kept;
}

/** Cells that the columns take, the marker in front and the gaps included. */
function used(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + column.width + 1, 0);
}

function folderText(row: Row, home: string): string {
  const cwd = cellText(row.cwd ?? '-');
  return home !== '' && (cwd === home || cwd.startsWith(`${home}/`)) ? `~${cwd.slice(home.length)}` : cwd;
}

function tableBody(
  model: WatchModel,
  rows: readonly Row[],
  around: FrameSurroundings,
  width: number,
): string[] {
  const columns = columnsFor(width);
  const head = ` ${columns.map((column) => fitCell(column.head, column.width)).join(' ')}`;
  const lines = rows.map((row) => rowLine(row, columns, model, around, width));
  return [around.paint.dim(cut(head, width)), ...lines];
}

function rowLine(
  row: Row,
  columns: readonly Column[],
  model: WatchModel,
  around: FrameSurroundings,
  width: number,
): string {
  const [state = '', ...others] = columns.map((column) => column.cell(row, around));
  const selected = row.id === model.selected;
  const marker = selected ? '›' : ' ';
  if (selected) return around.paint.selected(cut([`${marker}${state}`, ...others].join(' '), width));
  if (used(columns) > width) return cut(`${marker}${state}`, width);
  if (!model.connected) return around.paint.dim([`${marker}${state}`, ...others].join(' '));
  const rest = others.map((cell) => ` ${cell}`).join('');
  return `${marker}${around.paint.tone(row.look.tone, state)}${row.state === 'ended' ? around.paint.dim(rest) : rest}`;
}

function emptyBody(model: WatchModel, around: FrameSurroundings, width: number): string[] {
  if (!model.loaded) return [];
  const lines = model.filter === '' ? around.emptyHint : ['No session matches the filter.'];
  return ['', ...lines.map((line) => cut(line === '' ? '' : `  ${line}`, width))];
}

interface VisibleRows {
  rows: Row[];
  first: number;
}

/** The part of the rows around the selected one that fits on the screen. */
function windowOf(rows: readonly Row[], selected: string | undefined, page: number): VisibleRows {
  const at = rows.findIndex((row) => row.id === selected);
  const highest = Math.max(0, rows.length - page);
  const first = Math.min(Math.max(0, at - Math.floor(page / 2)), highest);
  return { rows: rows.slice(first, first + page), first };
}

function footer(
  model: WatchModel,
  visible: VisibleRows,
  total: number,
  around: FrameSurroundings,
  width: number,
): string {
  if (model.typingFilter) return cut(`filter: ${cellText(model.filter)}▏  enter keep  esc clear`, width);
  if (model.message !== '') return around.paint.warning(cut(cellText(model.message), width));
  const range =
    total > visible.rows.length
      ? `${visible.first + 1}–${visible.first + visible.rows.length} of ${total}   `
      : '';
  const filter = model.filter === '' ? '' : `filter "${cellText(model.filter)}" (esc clears)   `;
  return around.paint.dim(
    cut(`${range}${filter}q quit   ↑↓ select${around.canFocus ? '   enter focus' : ''}   / filter`, width),
  );
}
