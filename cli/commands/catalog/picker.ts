import type { Catalog } from '../../../catalog/catalog.ts';
import type { Evidence } from '../../../catalog/evidence/evidence.ts';
import { type CatalogQuery, passesFilters } from '../../../catalog/query.ts';
import { forgiving } from '../../../catalog/search.ts';
import type { Session } from '../../../catalog/session.ts';
import { mentionsWork, queryWords } from '../../../catalog/words.ts';
import { type CliContext, type OutputStream, wantsColour } from '../../context.ts';
import { createPaint } from '../../view/paint.ts';
import { readKeys } from '../../watch/keys.ts';
import { Screen } from '../../watch/screen.ts';
import { TerminalHold } from '../../watch/terminal-hold.ts';
import { listRows, renderPick } from './pick-frame.ts';
import {
  addEntry,
  addSimilar,
  applyPickKey,
  initialPickModel,
  type PickModel,
  searchModel,
  selectedSession,
  toEntry,
} from './pick-model.ts';

export interface PickerOptions {
  catalog: Catalog;
  query: CatalogQuery;
  /** The terminal that is drawn on. */
  screen: OutputStream;
  evidenceOf(session: Session): Promise<Evidence>;
  /** Why a session cannot be chosen, or undefined. */
  refusal(session: Session): string | undefined;
}

/** What came of it: a session, or the exit code of a picker left without one. */
export type Picked = { session: Session } | { exitCode: number };

/** Changes within this time are drawn together. */
const DRAW_DELAY_MS = 15;
/** A selection that rests this long is looked into. */
const EVIDENCE_DELAY_MS = 150;
/** Sessions looked through at a time for words with a typing error. */
const SIMILAR_BATCH = 500;
const FALLBACK_SIZE = { columns: 80, rows: 24 };

/** Shows the sessions, filters them as the person types, and gives the terminal back on every way out. */
export function pickSession(context: CliContext, options: PickerOptions): Promise<Picked> {
  return new Promise((resolve) => new Picker(context, options, resolve));
}

class Picker {
  readonly #context: CliContext;
  readonly #options: PickerOptions;
  readonly #model: PickModel;
  readonly #screen: Screen;
  readonly #hold: TerminalHold;
  readonly #onResize = () => this.#resized();
  #picked: Session | undefined;
  #drawing: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(context: CliContext, options: PickerOptions, done: (picked: Picked) => void) {
    this.#context = context;
    this.#options = options;
    this.#model = initialPickModel(options.query.words.join(' '), options.catalog.files().all.length);
    this.#screen = new Screen(options.screen, () => this.#draw());
    this.#hold = new TerminalHold(context, this.#screen, {
      input: (text) => this.#input(text),
      resumed: () => this.#draw(),
      ended: (exitCode) => {
        this.#stop();
        done(this.#picked === undefined ? { exitCode } : { session: this.#picked });
      },
    });
    options.screen.on('resize', this.#onResize);
    this.#load().catch((error: unknown) => {
      this.#model.message = error instanceof Error ? error.message : String(error);
      this.#drawSoon();
    });
  }

  async #load(): Promise<void> {
    const { catalog, query } = this.#options;
    let read = 0;
    for await (const { session } of catalog.walk(query)) {
      if (this.#ended) return;
      this.#model.unread = Math.max(0, this.#model.unread - 1);
      if (passesFilters(session, query) && (query.work === undefined || mentionsWork(session, query.work))) {
        addEntry(this.#model, toEntry(session));
      }
      // The first page at once, the rest as it comes.
      if (++read === 100 || read % 500 === 0) this.#drawSoon();
    }
    this.#model.unread = 0;
    if (this.#model.matches.length === 0) this.#findSimilar();
    this.#drawSoon();
  }

  /** A text pasted with line breaks is one query: only a break at its end is the Enter key. */
  #input(text: string): void {
    const keys = readKeys(text);
    for (const [index, key] of keys.entries()) {
      if (this.#ended) return;
      const isInside = key === 'enter' && index < keys.length - 1;
      this.#apply(isInside ? ' ' : key);
    }
    this.#draw();
  }

  #apply(key: string): void {
    const action = applyPickKey(this.#model, key, listRows(this.#size().rows));
    if (action === 'quit') return this.#hold.end(key === 'ctrl-c' ? 130 : 1);
    if (action === 'suspend') return this.#hold.suspend();
    if (action === 'choose') return this.#choose();
    if (action === 'search') {
      searchModel(this.#model);
      if (this.#model.matches.length === 0) this.#findSimilar();
    }
  }

  #choose(): void {
    const session = selectedSession(this.#model);
    if (session === undefined) return;
    const refusal = this.#options.refusal(session);
    if (refusal !== undefined) {
      this.#model.message = refusal;
      return;
    }
    this.#picked = session;
    this.#hold.end(0);
  }

  /** Looks for sessions that fit with a typing error, a piece at a time, until the query changes. */
  #findSimilar(): void {
    const { query, entries } = this.#model;
    const words = queryWords(query);
    let next = 0;
    const step = () => {
      if (this.#ended || this.#model.query !== query) return;
      const found = forgiving(entries.slice(next, next + SIMILAR_BATCH), ({ text }) => text, words);
      next += SIMILAR_BATCH;
      if (found.length > 0) {
        addSimilar(this.#model, found);
        this.#drawSoon();
      }
      if (next < entries.length) setImmediate(step);
    };
    setImmediate(step);
  }

  #lookInto(): void {
    clearTimeout(this.#looking);
    const session = selectedSession(this.#model);
    if (session === undefined || this.#model.evidence !== undefined) return;
    this.#looking = setTimeout(() => {
      this.#options.evidenceOf(session).then(
        (evidence) => {
          if (this.#ended || selectedSession(this.#model)?.transcript !== session.transcript) return;
          this.#model.evidence = evidence;
          this.#drawSoon();
        },
        () => {},
      );
    }, EVIDENCE_DELAY_MS);
  }

  #size(): { columns: number; rows: number } {
    const { columns, rows } = this.#options.screen;
    return { columns: columns || FALLBACK_SIZE.columns, rows: rows || FALLBACK_SIZE.rows };
  }

  #resized(): void {
    this.#screen.invalidate();
    this.#drawSoon();
  }

  #drawSoon(): void {
    this.#drawing ??= setTimeout(() => this.#draw(), DRAW_DELAY_MS);
  }

  #draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    if (this.#ended) return;
    const paint = createPaint(wantsColour(this.#context, this.#options.screen));
    this.#screen.draw(renderPick(this.#model, { ...this.#size(), paint, now: this.#context.wall() }));
    this.#lookInto();
  }

  #stop(): void {
    this.#ended = true;
    clearTimeout(this.#drawing);
    clearTimeout(this.#looking);
    this.#options.screen.off('resize', this.#onResize);
  }
}
