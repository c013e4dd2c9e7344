import type { Evidence } from '../../../catalog/evidence/evidence.ts';
import type { Session } from '../../../catalog/session.ts';
import { hasEveryWord, queryWords, searchText } from '../../../catalog/words.ts';

/** A session as the picker holds it. */
export interface PickEntry {
  session: Session;
  /** When anything last happened, ms since 1970. */
  at: number;
  /** What is searched. */
  text: string;
}

/** Everything the picker shows. */
export interface PickModel {
  query: string;
  /** Newest first. */
  entries: PickEntry[];
  /** Those that fit the query, newest first. */
  matches: PickEntry[];
  /** True when nothing fits word for word, and {@link matches} forgives typing errors. */
  similar: boolean;
  /** Place of the selected match. */
  selected: number;
  /** First match on the screen. */
  top: number;
  /** Files still to be read. */
  unread: number;
  /** What the last key could not do. */
  message: string;
  /** Of the selected session, once read. */
  evidence: Evidence | undefined;
}

/** What a key asks for beside a change of the model. */
export type PickAction = 'none' | 'search' | 'choose' | 'quit' | 'suspend';

export function initialPickModel(query: string, unread: number): PickModel {
  return {
    query,
    entries: [],
    matches: [],
    similar: false,
    selected: 0,
    top: 0,
    unread,
    message: '',
    evidence: undefined,
  };
}

export function toEntry(session: Session): PickEntry {
  return { session, at: Date.parse(session.lastActivityAt), text: searchText(session) };
}

/** Adds a session that was read. It keeps the selected session selected. */
export function addEntry(model: PickModel, entry: PickEntry): void {
  insert(model.entries, entry);
  if (model.similar || !hasEveryWord(entry.text, queryWords(model.query))) return;
  const place = insert(model.matches, entry);
  if (place <= model.selected && model.matches.length > 1 && model.selected > 0) model.selected++;
}

function insert(entries: PickEntry[], entry: PickEntry): number {
  let place = entries.length;
  while (place > 0 && (entries[place - 1]?.at ?? 0) < entry.at) place--;
  entries.splice(place, 0, entry);
  return place;
}

/** Looks the query's words up. Fast enough for every key: a typing error is forgiven elsewhere, piece by piece. */
export function searchModel(model: PickModel): void {
  const words = queryWords(model.query);
  model.matches = model.entries.filter(({ text }) => hasEveryWord(text, words));
  model.similar = false;
  select(model, 0);
}

/** Adds sessions that fit once a typing error is forgiven. */
export function addSimilar(model: PickModel, found: readonly PickEntry[]): void {
  model.similar = true;
  model.matches.push(...found);
}

export function selectedSession(model: PickModel): Session | undefined {
  return model.matches[model.selected]?.session;
}

/** Applies a key. @param page rows of the list on the screen */
export function applyPickKey(model: PickModel, key: string, page: number): PickAction {
  model.message = '';
  switch (key) {
    case 'ctrl-c':
    case 'escape':
      return 'quit';
    case 'ctrl-z':
      return 'suspend';
    case 'enter':
      return model.matches.length > 0 ? 'choose' : 'none';
    case 'backspace':
      return setQuery(
        model,
        [...graphemes.segment(model.query)]
          .slice(0, -1)
          .map((part) => part.segment)
          .join(''),
      );
    case 'up':
      return select(model, model.selected - 1);
    case 'down':
      return select(model, model.selected + 1);
    case 'page-up':
      return select(model, model.selected - page);
    case 'page-down':
      return select(model, model.selected + page);
    case 'home':
      return select(model, 0);
    case 'end':
      return select(model, model.matches.length - 1);
    default:
      return key.length <= 2 ? setQuery(model, model.query + key) : 'none';
  }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const LONGEST_QUERY = 200;

function setQuery(model: PickModel, query: string): PickAction {
  if (query === model.query || query.length > LONGEST_QUERY) return 'none';
  model.query = query;
  return 'search';
}

function select(model: PickModel, place: number): PickAction {
  model.selected = Math.max(0, Math.min(place, model.matches.length - 1));
  model.evidence = undefined;
  return 'none';
}
