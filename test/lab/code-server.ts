import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workbenchPrograms } from './workbench-programs.mjs';

const READY_MS = 60_000;
const STOP_MS = 8_000;

/** No telemetry, no welcome page, no look-ups: what else would disturb a test. */
const SETTINGS = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'update.mode': 'none',
  'security.workspace.trust.enabled': false,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.openRepositoryInParentFolders': 'never',
};

export interface CodeServerOptions {
  /** A fresh folder for everything the server writes. */
  root: string;
  /** HOME of the server, its extension hosts and terminals. */
  home: string;
  vsix: string;
  /** Environment of the extension hosts, beside HOME and PATH. */
  env: Record<string, string>;
  settings?: Record<string, unknown>;
}

/** The VS Code workbench as a server, with our extension and the one by which tests drive its windows. */
export class CodeServer {
  readonly userData: string;
  readonly #options: CodeServerOptions;
  #child: ChildProcess | undefined;
  #port = 0;
  #log = '';

  private constructor(options: CodeServerOptions) {
    this.#options = options;
    this.userData = path.join(options.root, 'data');
  }

  /** Installs the extensions, starts the server and resolves once it answers. */
  static async start(options: CodeServerOptions): Promise<CodeServer> {
    const server = new CodeServer(options);
    server.#prepare();
    server.#port = await freePort();
    server.#launch();
    await server.#ready();
    return server;
  }

  /** Process id of the server; extension hosts are its descendants. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  url(folder: string): string {
    return `http://127.0.0.1:${this.#port}/?folder=${encodeURIComponent(folder)}`;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    await Promise.race([exited, sleep(STOP_MS)]);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  }

  #prepare(): void {
    const { root, vsix, settings } = this.#options;
    const extensions = path.join(root, 'extensions');
    mkdirSync(path.join(this.userData, 'User'), { recursive: true });
    mkdirSync(extensions, { recursive: true });
    const user = JSON.stringify({ ...SETTINGS, ...settings }, null, 2);
    writeFileSync(path.join(this.userData, 'User', 'settings.json'), user);
    writeFileSync(path.join(root, 'config.yaml'), 'auth: none\n');
    cpSync(
      path.join(import.meta.dirname, 'window-control'),
      path.join(extensions, 'lab.window-control-0.0.1'),
      {
        recursive: true,
      },
    );
    const { node24, codeServerEntry } = workbenchPrograms();
    const args = [codeServerEntry, ...this.#folders(), '--install-extension', vsix, '--force'];
    execFileSync(node24, args, { env: this.#env(), stdio: 'pipe', timeout: READY_MS });
  }

  #launch(): void {
    const { node24, codeServerEntry } = workbenchPrograms();
    const args = [
      codeServerEntry,
      ...this.#folders(),
      '--bind-addr',
      `127.0.0.1:${this.#port}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-workspace-trust',
      '--disable-getting-started-override',
      '--disable-proxy',
      // A window whose page is gone takes its extension host along, instead of keeping it for hours.
      '--reconnection-grace-time',
      '2',
    ];
    const child = spawn(node24, args, { env: this.#env(), stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk: Buffer) => {
      this.#log = (this.#log + chunk.toString()).slice(-10_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    this.#child = child;
  }

  async #ready(): Promise<void> {
    for (const until = Date.now() + READY_MS; Date.now() < until; await sleep(100)) {
      if (this.#child?.exitCode !== null) break;
      const health = await fetch(`http://127.0.0.1:${this.#port}/healthz`).catch(() => undefined);
      if (health?.ok) return;
    }
    await this.stop();
    throw new Error(`code-server did not become ready:\n${this.#log}`);
  }

  #folders(): string[] {
    const { root } = this.#options;
    return [
      ...['--config', path.join(root, 'config.yaml')],
      ...['--user-data-dir', this.userData],
      ...['--extensions-dir', path.join(root, 'extensions')],
    ];
  }

  /** Nothing inherited: a variable of an editor this test runs in would leak into the extension host. */
  #env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      HOME: this.#options.home,
      // No marketplace: the look-ups fail at once.
      EXTENSIONS_GALLERY: '{"serviceUrl":"http://127.0.0.1:9"}',
      ...this.#options.env,
    };
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
