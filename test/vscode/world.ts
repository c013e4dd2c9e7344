import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sendRequest } from '../../contract/client.ts';
import { type SessionEntry, type SnapshotPayload, sessionsRequest } from '../../contract/messages.ts';
import { resolvePaths } from '../../contract/paths.ts';
import { agentPath } from '../lab/agents.ts';
import { Browser, NAVIGATION } from '../lab/browser.ts';
import { LabHome } from '../lab/claude-home.ts';
import { CodeServer } from '../lab/code-server.ts';
import { type MockModel, startMockAnthropic } from '../lab/mock-anthropic.ts';
import { DaemonProcess, omniDev } from '../lab/programs.ts';
import type { Scenario } from '../lab/scenario.ts';
import { STREAM_ARGS, StreamHost } from '../lab/stream-host.ts';
import { WindowControl } from '../lab/window-control.ts';
import { EditorWindow } from './window.ts';

const builtIn = path.resolve(process.env.OMNI_DEV_BUILD_DIR ?? path.join(import.meta.dirname, '../../dist'));
const OMNI_DEV = path.join(builtIn, 'omni-dev.cjs');

/** A user's machine for one suite: home, daemon, workbench, browser. Everything in throw-away folders. */
export class World {
  readonly home = new LabHome();
  /** The built command line, for settings that name it. */
  readonly program = OMNI_DEV;
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'odw-'));
  /** A repository, and a second one nested in it. */
  readonly outer = path.join(this.home.dir, 'project');
  readonly inner = path.join(this.outer, 'nested');
  readonly socket = resolvePaths({
    env: this.home.env(),
    platform: process.platform,
    home: this.home.dir,
    uid: process.getuid?.() ?? 0,
  }).socket;
  readonly #control = new WindowControl(path.join(this.root, 'control.sock'));
  #daemon: DaemonProcess | undefined;
  #server: CodeServer | undefined;
  #browser: Browser | undefined;
  #model: MockModel | undefined;

  /** Starts everything but the daemon. */
  async start(settings: Record<string, unknown> = {}): Promise<this> {
    for (const folder of [this.outer, this.inner]) {
      mkdirSync(path.join(folder, 'src'), { recursive: true });
      execFileSync('git', ['init', '-q'], { cwd: folder });
    }
    await this.#control.listen();
    this.#server = await CodeServer.start({
      root: this.root,
      home: this.home.dir,
      vsix: path.join(builtIn, 'editors/omni-dev-sessions.vsix'),
      env: {
        LAB_SOCKET: path.join(this.root, 'control.sock'),
        CLAUDE_CODE_TERMINAL_TITLE: 'My Agent',
        // What a window starts must end with the suite.
        OMNI_DEV_DAEMON_DISABLE_SYSTEMD: '1',
      },
      settings,
    });
    this.#browser = await Browser.start(path.join(this.root, 'chromium'), this.home.dir);
    return this;
  }

  get server(): CodeServer {
    if (this.#server === undefined) throw new Error('the world was not started');
    return this.#server;
  }

  async startDaemon(): Promise<void> {
    this.#daemon = await DaemonProcess.start(this.socket, this.home.env());
  }

  async stopDaemon(): Promise<void> {
    await this.#daemon?.stop();
    this.#daemon = undefined;
  }

  /** Opens a window on a folder and waits until our extension runs in it. */
  async open(folder: string): Promise<EditorWindow> {
    if (this.#browser === undefined) throw new Error('the world was not started');
    const page = await this.#browser.newPage();
    await page.goto(this.server.url(folder), NAVIGATION);
    const window = new EditorWindow(page, folder, this.#control);
    await window.activated();
    return window;
  }

  async observe(payload: Record<string, unknown>): Promise<void> {
    await this.#request('observe', payload);
  }

  async end(sessionId: string): Promise<void> {
    await this.#request('end', { session_id: sessionId });
  }

  async list(): Promise<SessionEntry[]> {
    return ((await this.#request('list')) as SnapshotPayload).sessions;
  }

  /** Where the daemon places a session: `terminal`, or the key of a window. */
  async sourceOf(sessionId: string): Promise<string> {
    const source = (await this.list()).find((entry) => entry.session_id === sessionId)?.source;
    return source?.kind === 'vs_code' ? source.window_key : 'terminal';
  }

  /** Runs the real hook sink with one hook event, as an agent does. */
  async hook(event: Record<string, unknown>): Promise<void> {
    const run = promisify(execFile)(process.execPath, [OMNI_DEV, 'sessions', 'hook'], {
      env: this.home.env(),
    });
    run.child.stdin?.end(JSON.stringify(event));
    await run;
  }

  /** Runs one command of the product in this home. */
  omniDev(...args: string[]): Promise<string> {
    return omniDev(args, this.home.env());
  }

  /** The real Claude behind the installed wrapper shim, in a folder, with a mock model. */
  async wrappedClaude(shim: string, scenario: Scenario): Promise<StreamHost> {
    this.#model = await startMockAnthropic(scenario.mock, 700);
    const cwd = this.home.prepare(scenario);
    const env = this.home.claudeEnv(this.#model.url, scenario);
    return new StreamHost({ command: shim, args: [agentPath('claude'), ...STREAM_ARGS], cwd, env }, scenario);
  }

  /** Lines of the output channel `omni-dev` of every window so far. */
  output(): string {
    const files = execFileSync('find', [path.join(this.server.userData, 'logs'), '-name', 'omni-dev.log'])
      .toString()
      .split('\n')
      .filter((file) => file !== '');
    return files.map((file) => readFileSync(file, 'utf8')).join('');
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.#server?.stop();
    await this.#control.close();
    await this.#model?.close();
    try {
      await this.stopDaemon();
    } finally {
      this.home.remove();
      rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
  }

  async #request(op: string, payload?: Record<string, unknown>): Promise<unknown> {
    const reply = await sendRequest(this.socket, sessionsRequest(op, payload));
    if (!reply.ok) throw new Error(`${op}: ${reply.error}`);
    return reply.payload;
  }
}
