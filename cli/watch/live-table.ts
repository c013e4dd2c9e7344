import type { CliContext } from '../context.ts';
import { wantsColour } from '../context.ts';
import { createPaint } from '../view/paint.ts';
import { toRows } from '../view/row.ts';
import { pageRows, renderFrame } from './frame.ts';
import { readKeys } from './keys.ts';
import { LiveSnapshots } from './live-snapshots.ts';
import { applyKey, initialModel, type WatchAction } from './model.ts';
import { Screen } from './screen.ts';
import { SinceMemory } from './since.ts';
import { TerminalHold } from './terminal-hold.ts';

export interface LiveTableOptions {
  socket: string;
  /** Shown in the first line: what is watched when it is not this machine's own sessions. */
  label?: string;
  /** Lines shown while there is no session. */
  emptyHint: readonly string[];
  /** Shown as `~`; default the user's home. */
  home?: string;
  /** Jumps to where a session runs; resolves with what was done, rejects with why not. */
  focus?(sessionId: string): Promise<string>;
}

const TICK_MS = 1_000;
/** Changes within this time are drawn together. */
const DRAW_DELAY_MS = 15;
/** A burst of changes is read at this pace. */
const SNAPSHOT_MS = 50;
const FALLBACK_SIZE = { columns: 80, rows: 24 };

/**
 * Shows the sessions in the terminal until the person quits, and gives the terminal back as it was on every way out.
 * Resolves with the exit code: 0, or 128 + n after a signal.
 */
export function runLiveTable(context: CliContext, options: LiveTableOptions): Promise<number> {
  return new Promise((resolve) => new LiveTable(context, options, resolve));
}

class LiveTable {
  readonly #context: CliContext;
  readonly #options: LiveTableOptions;
  readonly #model = initialModel();
  readonly #since = new SinceMemory();
  readonly #screen: Screen;
  readonly #hold: TerminalHold;
  readonly #live: LiveSnapshots;
  readonly #tick: NodeJS.Timeout;
  readonly #onResize = () => this.#resized();
  #drawing: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(context: CliContext, options: LiveTableOptions, done: (exitCode: number) => void) {
    this.#context = context;
    this.#options = options;
    this.#screen = new Screen(context.stdout, () => this.#draw());
    this.#hold = new TerminalHold(context, this.#screen, {
      input: (text) => this.#input(text),
      resumed: () => this.#draw(),
      ended: (exitCode) => {
        this.#stop();
        done(exitCode);
      },
    });
    context.stdout.on('resize', this.#onResize);
    this.#tick = setInterval(() => this.#draw(), TICK_MS);
    this.#live = new LiveSnapshots(
      options.socket,
      {
        snapshot: (payload) => {
          this.#model.rows = this.#since.fill(toRows(payload), context.wall());
          this.#model.loaded = true;
          this.#drawSoon();
        },
        connected: (up) => {
          this.#model.connected = up;
          this.#drawSoon();
        },
      },
      { everyMs: SNAPSHOT_MS },
    );
    this.#draw();
  }

  #stop(): void {
    this.#ended = true;
    clearInterval(this.#tick);
    clearTimeout(this.#drawing);
    this.#context.stdout.off('resize', this.#onResize);
    this.#live.close();
  }

  #input(text: string): void {
    for (const key of readKeys(text)) this.#act(applyKey(this.#model, key, pageRows(this.#size())));
    this.#drawSoon();
  }

  #act(action: WatchAction): void {
    if (action === 'quit') this.#hold.end(0);
    else if (action === 'suspend') this.#hold.suspend();
    else if (action !== 'none') void this.#focus(action.focus);
  }

  async #focus(sessionId: string): Promise<void> {
    if (this.#options.focus === undefined) return;
    this.#model.message = await this.#options.focus(sessionId).catch((error: unknown) => String(error));
    this.#drawSoon();
  }

  #resized(): void {
    this.#screen.invalidate();
    this.#drawSoon();
  }

  #drawSoon(): void {
    if (this.#ended) return;
    this.#drawing ??= setTimeout(() => this.#draw(), DRAW_DELAY_MS);
  }

  #draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    const { label, emptyHint, home } = this.#options;
    const frame = renderFrame(this.#model, {
      size: this.#size(),
      now: this.#context.wall(),
      home: home ?? this.#context.around.home,
      paint: createPaint(wantsColour(this.#context, this.#context.stdout)),
      label,
      emptyHint,
      canFocus: this.#options.focus !== undefined,
    });
    this.#screen.draw(frame);
  }

  #size(): { columns: number; rows: number } {
    const { columns, rows } = this.#context.stdout;
    return { columns: columns || FALLBACK_SIZE.columns, rows: rows || FALLBACK_SIZE.rows };
  }
}
