import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '../lab/browser.ts';
import type { WindowControl } from '../lab/window-control.ts';
import { type DrawnRow, labelOf, rowsOf, textOf, textsOf } from './dom.ts';

const STATUS_BAR = '.statusbar-item[id*="omniDevSessions"]';
const ACTIVITY = '.activitybar li.action-item:has(a[aria-label^="Agent Sessions"])';
const TREE = '.sidebar .tree-explorer-viewlet-tree-view';

/** A VS Code window in the browser, and the hand inside it. */
export class EditorWindow {
  readonly page: Page;
  readonly folder: string;
  readonly #control: WindowControl;

  constructor(page: Page, folder: string, control: WindowControl) {
    this.page = page;
    this.folder = folder;
    this.#control = control;
  }

  /** Waits until our extension draws in this window. */
  async activated(): Promise<void> {
    await this.page.waitForSelector(STATUS_BAR, { timeout: 240_000 });
  }

  /** Opens the *Agent Sessions* view. */
  async showSessions(): Promise<void> {
    await this.command('omniDevSessions.focus');
    // Hidden while it is empty.
    await this.page.waitForSelector(TREE, { timeout: 60_000, state: 'attached' });
  }

  /** Keeps a picture for a person to look at, where OMNI_DEV_SCREENSHOTS names a folder for them. */
  async picture(name: string): Promise<void> {
    const folder = process.env.OMNI_DEV_SCREENSHOTS;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
  }

  /** Runs an action inside the window. */
  inside(action: string, ...args: unknown[]): Promise<unknown> {
    return this.#control.run(this.folder, action, ...args);
  }

  command(name: string, ...args: unknown[]): Promise<unknown> {
    return this.inside('command', name, ...args);
  }

  /** Text of the status bar item. */
  statusBar(): Promise<string> {
    return this.page.evaluate(textOf, `${STATUS_BAR}`);
  }

  /** The status bar item as assistive technology reads it. */
  statusBarTooltip(): Promise<string> {
    return this.page.evaluate(labelOf, `${STATUS_BAR} a`);
  }

  /** The number on the activity bar's icon, or ''. */
  activityBadge(): Promise<string> {
    return this.page.evaluate(textOf, `${ACTIVITY} .badge-content`);
  }

  /** The rows of the tree, from the top. */
  rows(): Promise<DrawnRow[]> {
    return this.page.evaluate(rowsOf, TREE);
  }

  /** The tree as indented text. */
  async drawn(): Promise<string[]> {
    return (await this.rows()).map(
      ({ level, label, description }) =>
        `${'  '.repeat(level - 1)}${label}${description ? `  ${description}` : ''}`,
    );
  }

  /** Text of the empty view. */
  welcome(): Promise<string> {
    return this.page.evaluate(textOf, '.sidebar .welcome-view-content');
  }

  /** Texts of the notifications on screen. */
  notifications(): Promise<string[]> {
    return this.page.evaluate(textsOf, '.notification-toast .notification-list-item-message');
  }
}

/** Waits until a reading fits; throws with the last reading when it does not in time. */
export async function eventually<T>(
  read: () => Promise<T>,
  fits: (reading: T) => boolean,
  what: string,
  withinMs = 60_000,
): Promise<T> {
  let reading = await read();
  for (const until = Date.now() + withinMs; !fits(reading) && Date.now() < until; reading = await read())
    await sleep(100);
  if (!fits(reading)) throw new Error(`${what}; last seen: ${JSON.stringify(reading, null, 1)}`);
  return reading;
}
