import { byAttention } from '../view/attention-order.ts';
import type { Row } from '../view/row.ts';
import type { Key } from './keys.ts';

/** What the live table knows and what the person did to it. */
export interface WatchModel {
  rows: Row[];
  /** False until a daemon answered, and again while it is gone. */
  connected: boolean;
  /** True once any snapshot has come. */
  loaded: boolean;
  selected: string | undefined;
  filter: string;
  typingFilter: boolean;
  /** What came of the last action; shown until the next key. */
  message: string;
}

export type WatchAction = 'none' | 'quit' | 'suspend' | { focus: string };

export function initialModel(): WatchModel {
  return {
    rows: [],
    connected: false,
    loaded: false,
    selected: undefined,
    filter: '',
    typingFilter: false,
    message: '',
  };
}

/** The rows that are shown, in their order: who waits for you first. */
export function shownRows(model: WatchModel): Row[] {
  const words = model.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = model.rows.filter((row) => {
    const text = searchText(row);
    return words.every((word) => text.includes(word));
  });
  return byAttention(matching);
}

function searchText(row: Row): string {
  const parts = [row.look.word, row.look.listWord, row.agent, row.name, row.cwd, row.model, row.shownId];
  return parts.join(' ').toLowerCase();
}

/**
 * What a key does. Changes the model and says what the program has to do.
 *
 * @param page rows of one page, for the page keys
 */
export function applyKey(model: WatchModel, key: Key, page: number): WatchAction {
  model.message = '';
  if (key === 'ctrl-c') return 'quit';
  if (key === 'ctrl-z') return 'suspend';
  return model.typingFilter ? typeFilter(model, key) : command(model, key, page);
}

function command(model: WatchModel, key: Key, page: number): WatchAction {
  switch (key) {
    case 'q':
    case 'Q':
      return 'quit';
    case '/':
      model.typingFilter = true;
      return 'none';
    case 'escape':
      clearOne(model);
      return 'none';
    case 'enter':
      return model.selected === undefined ? 'none' : { focus: model.selected };
    default:
      move(model, key, page);
      return 'none';
  }
}

/** Escape takes back the filter first, then the selection. */
function clearOne(model: WatchModel): void {
  if (model.filter !== '') model.filter = '';
  else model.selected = undefined;
}

function typeFilter(model: WatchModel, key: Key): WatchAction {
  if (key === 'enter') model.typingFilter = false;
  else if (key === 'escape') {
    model.filter = '';
    model.typingFilter = false;
  } else if (key === 'backspace') model.filter = [...model.filter].slice(0, -1).join('');
  else if ([...key].length === 1) model.filter = (model.filter + key).slice(0, 100);
  return 'none';
}

function move(model: WatchModel, key: Key, page: number): void {
  const rows = shownRows(model);
  const last = rows.length - 1;
  const at = rows.findIndex((row) => row.id === model.selected);
  const target = {
    up: at - 1,
    k: at - 1,
    down: at + 1,
    j: at + 1,
    'page-up': at - page,
    'page-down': at + page,
    home: 0,
    g: 0,
    end: last,
    G: last,
  }[key as string];
  if (target === undefined || last < 0) return;
  model.selected = rows[Math.min(Math.max(target, 0), last)]?.id;
}
