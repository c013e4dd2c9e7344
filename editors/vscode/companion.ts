import type { SessionEntry, WindowPayload } from '../../contract/messages.ts';
import { type TooltipSubject, tooltipSubject } from './cues/decoration.ts';
import { bucketOf, type Tally } from './cues/tally.ts';
import type { Diagnostics } from './diagnostics.ts';
import { type FeedStatus, SessionFeed } from './feed/session-feed.ts';
import { WindowReporter } from './feed/window-reporter.ts';
import { buildRows } from './rows/build.ts';
import { changedRows, EMPTY_MODEL, type RowChanges, type RowModel } from './rows/row.ts';
import type { Settings } from './settings.ts';
import { type StatusText, statusText } from './status-text.ts';
import { WorktreeLocator } from './worktrees/locator.ts';

/** A directory's worktree that became known may wait for others. */
const REGROUP_MS = 200;
/** A daemon that is away for less is being restarted: its rows stay. */
const GRACE_MS = 3_000;
/** VS Code gives an extension about five seconds to deactivate; a window reload waits for it. */
const CLOSE_MS = 1_500;

/**
 * How long a snapshot stays on screen before the next is drawn: 100 ms, which nobody sees, up to two seconds where
 * hundreds of sessions keep changing. The extension host has other guests.
 */
function drawPeriod(frameBytes: number): number {
  return Math.min(Math.max(frameBytes / 100, 100), 2_000);
}

/** What the companion draws on. Called only when something differs from what was drawn before. */
export interface CompanionView {
  rows(model: RowModel, changes: RowChanges): void;
  /** Undefined takes the item away. */
  statusBar(status: StatusText | undefined): void;
  /** Number of sessions that wait on the user; 0 takes the badge away. */
  badge(waiting: number, tooltip: string): void;
  connection(status: FeedStatus): void;
}

export interface CompanionOptions {
  settings: Settings;
  key: string;
  view: CompanionView;
  diagnostics: Diagnostics;
  /** What the window embeds right now. */
  count(): Omit<WindowPayload, 'key'>;
}

/** One activation of the extension in one window, without the editor: from the daemon's words to what is to be drawn. */
export class Companion {
  readonly #options: CompanionOptions;
  readonly #locator: WorktreeLocator;
  readonly #reporter: WindowReporter;
  readonly #feed: SessionFeed;
  #sessions: SessionEntry[] = [];
  #status: FeedStatus = 'connecting';
  #model: RowModel | undefined;
  #drawn: string | undefined;
  #redraw: NodeJS.Timeout | undefined;

  constructor(options: CompanionOptions) {
    this.#options = options;
    const { settings, key, diagnostics, count } = options;
    const { socket } = settings;
    this.#locator = new WorktreeLocator(() => this.#drawSoon());
    this.#reporter = new WindowReporter({
      socket,
      key,
      heartbeatMs: settings.heartbeatMs,
      closeMs: CLOSE_MS,
      diagnostics,
      count,
    });
    this.#feed = new SessionFeed({
      socket,
      pollMs: settings.heartbeatMs,
      everyMs: drawPeriod,
      graceMs: GRACE_MS,
      diagnostics,
      snapshot: (sessions) => {
        this.#sessions = sessions;
        this.#draw();
      },
      status: (status) => this.#statusChanged(status),
      // It need not wait for the heartbeat to know this window.
      newDaemon: () => this.#reporter.report(),
    });
    options.view.connection(this.#status);
    this.#draw();
  }

  /** The tree as it was last drawn. */
  get model(): RowModel {
    return this.#model ?? EMPTY_MODEL;
  }

  /** Tabs, terminals or folders may have changed. */
  windowChanged(): void {
    this.#reporter.changed();
  }

  /** Asks the daemon again now. */
  refresh(): void {
    this.#feed.retry();
    this.#reporter.report();
  }

  /** Takes the window's report back and lets everything go. Bounded in time. */
  async close(): Promise<void> {
    clearTimeout(this.#redraw);
    this.#feed.close();
    await this.#reporter.close();
  }

  #statusChanged(status: FeedStatus): void {
    this.#status = status;
    // A daemon that is gone asserts nothing: its last words are not shown as the present.
    if (status === 'unreachable') this.#sessions = [];
    this.#options.view.connection(status);
    this.#draw();
  }

  #drawSoon(): void {
    this.#redraw ??= setTimeout(() => this.#draw(), REGROUP_MS);
  }

  #draw(): void {
    clearTimeout(this.#redraw);
    this.#redraw = undefined;
    const { settings, key, view } = this.#options;
    const before = this.#model;
    const model = buildRows({
      sessions: this.#sessions,
      locate: (cwd) => this.#locator.of(cwd),
      cues: settings.showCues,
      ownKey: key,
    });
    this.#model = model;
    // The view may still show the rows of an activation with other settings: the first tree is drawn whole.
    const changes = before === undefined ? 'all' : changedRows(before, model);
    if (changes === 'all' || changes.length > 0) view.rows(model, changes);
    this.#drawTotals(model.total);
  }

  #drawTotals(total: Tally): void {
    const { settings, view } = this.#options;
    const subject = this.#subject();
    const status = settings.showCues ? statusText(this.#status, total, subject) : undefined;
    const waiting = settings.showCues ? total.waiting : 0;
    const drawn = JSON.stringify([status, waiting]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    view.statusBar(status);
    view.badge(waiting, `${subject}: ${waiting} waiting on you`);
  }

  #subject(): TooltipSubject {
    const live = this.#sessions.filter(({ state }) => bucketOf(state) !== undefined);
    return tooltipSubject(live.map(({ agent }) => agent));
  }
}
