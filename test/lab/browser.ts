import { createRequire } from 'node:module';
import { workbenchPrograms } from './workbench-programs.mjs';

interface NavigationOptions {
  waitUntil: 'commit';
  timeout: number;
}

/** What a window loads is waited for by what it shows, on a machine that may be slow. */
export const NAVIGATION: NavigationOptions = { waitUntil: 'commit', timeout: 120_000 };

/** What the suite uses of a playwright page. */
export interface Page {
  goto(url: string, options: NavigationOptions): Promise<unknown>;
  reload(options: NavigationOptions): Promise<unknown>;
  waitForSelector(selector: string, options?: { timeout?: number; state?: string }): Promise<unknown>;
  bringToFront(): Promise<void>;
  mouse: { click(x: number, y: number): Promise<void> };
  evaluate<T, A>(run: (argument: A) => T, argument: A): Promise<T>;
  screenshot(options: { path: string }): Promise<unknown>;
  close(options?: { runBeforeUnload?: boolean }): Promise<void>;
}

interface Context {
  pages(): Page[];
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  chromium: { launchPersistentContext(dir: string, options: Record<string, unknown>): Promise<Context> };
}

/** Nothing leaves the machine, service workers included. */
const LOOPBACK_ONLY = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** One headless browser with as many pages as a test opens. */
export class Browser {
  readonly #context: Context;

  private constructor(context: Context) {
    this.#context = context;
  }

  static async start(profile: string, home: string): Promise<Browser> {
    const { playwright, chromium } = workbenchPrograms();
    const { chromium: launcher } = createRequire(import.meta.url)(playwright) as Playwright;
    const context = await launcher.launchPersistentContext(profile, {
      executablePath: chromium,
      // Our own flag starts the headless mode that draws like the headed one.
      headless: false,
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
      args: [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        LOOPBACK_ONLY,
      ],
      env: { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' },
    });
    return new Browser(context);
  }

  newPage(): Promise<Page> {
    return this.#context.newPage();
  }

  /** Pages first, so that windows unload as they do when a person closes them. */
  async close(): Promise<void> {
    await this.#context.close();
  }
}
