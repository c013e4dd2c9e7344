import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPiExtension } from '../../shims/pi/install.ts';
import { agentPath } from './agents.ts';
import { CodexTerminal } from './codex-terminal.ts';
import { type MockChat, startMockChat } from './mock-chat.ts';
import { StateRecorder } from './observed-states.ts';
import { DaemonProcess } from './programs.ts';

/** A release of pi by its name in agents.json, and what it can do. */
export interface PiRelease {
  agent: 'pi' | 'pi-old';
  about: string;
  /** It has `agent_settled` and `ui_prompt_*`. */
  settles: boolean;
}

export const PI_RELEASES: PiRelease[] = [
  { agent: 'pi', about: 'pi 1.6.0', settles: true },
  { agent: 'pi-old', about: 'pi 0.73.1', settles: false },
];

/** A tool and a slash command that ask the user: pi itself has no dialog an extension is told of. */
const ASKING_EXTENSION = `export default (pi) => {
  pi.registerTool({
    name: 'lab_ask',
    label: 'Ask',
    description: 'Asks the user',
    parameters: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
    async execute(_id, params, _signal, _update, ctx) {
      const answer = await ctx.ui.select(params.question, ['yes', 'no']);
      return { content: [{ type: 'text', text: String(answer) }], details: {} };
    },
  });
};
`;

const builtIn = path.resolve(process.env.OMNI_DEV_BUILD_DIR ?? path.join(import.meta.dirname, '../../dist'));

/** A real pi in a home of its own, with the installed extension, a mock model and, where asked for, a real daemon. */
export class PiLab {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'odp-'));
  readonly project = path.join(this.home, 'project');
  readonly socket = path.join(this.home, 'd.sock');
  readonly #release: PiRelease;
  readonly #children: ChildProcess[] = [];
  readonly #terminals: CodexTerminal[] = [];
  #model: MockChat | undefined;
  #daemon: DaemonProcess | undefined;
  #recorder: StateRecorder | undefined;

  constructor(release: PiRelease) {
    this.#release = release;
  }

  get recorder(): StateRecorder {
    if (this.#recorder === undefined) throw new Error('the lab was started without a daemon');
    return this.#recorder;
  }

  async start(options: { daemon: boolean }): Promise<this> {
    this.#model = await startMockChat();
    const agentDir = path.join(this.home, '.pi/agent');
    mkdirSync(this.project, { recursive: true });
    mkdirSync(path.join(agentDir, 'extensions'), { recursive: true });
    const provider = {
      baseUrl: this.#model.url,
      api: 'openai-completions',
      apiKey: 'made-up',
      models: [{ id: 'mock-1' }],
    };
    writeFileSync(path.join(agentDir, 'models.json'), JSON.stringify({ providers: { mock: provider } }));
    writeFileSync(
      path.join(agentDir, 'settings.json'),
      JSON.stringify({ defaultProvider: 'mock', defaultModel: 'mock-1', quietStartup: true }),
    );
    writeFileSync(path.join(agentDir, 'extensions', 'asking.ts'), ASKING_EXTENSION);
    installPiExtension({
      around: { env: {}, platform: process.platform, home: this.home, uid: process.getuid?.() ?? 0 },
      socket: this.socket,
      builtIn,
    });
    if (options.daemon) {
      await this.startDaemon();
      this.#recorder = new StateRecorder(this.socket);
      if (!(await this.#recorder.ready())) throw new Error('the subscriber got no first frame');
    }
    return this;
  }

  async startDaemon(): Promise<void> {
    this.#daemon = await DaemonProcess.start(this.socket, this.#env(), ['--socket', this.socket]);
  }

  async stopDaemon(): Promise<void> {
    await this.#daemon?.stop();
    this.#daemon = undefined;
  }

  /** pi in its RPC mode, driven by lines. */
  rpc(args: string[] = []): PiRpc {
    const rpc = new PiRpc(this.spawn(['--mode', 'rpc', ...args], 'pipe'));
    return rpc;
  }

  /** pi in a terminal. */
  terminal(args: string[] = []): CodexTerminal {
    const [command = '', ...rest] = [...this.#command(), ...args];
    const env = { ...this.#env(), TERM: 'xterm-256color' };
    const terminal = new CodexTerminal({ command, args: rest, cwd: this.project, env });
    this.#terminals.push(terminal);
    return terminal;
  }

  spawn(args: string[], stdin: 'pipe' | 'ignore'): ChildProcess {
    const [command = '', ...rest] = [...this.#command(), ...args];
    const child = spawn(command, rest, {
      cwd: this.project,
      env: this.#env(),
      stdio: [stdin, 'pipe', 'pipe'],
    });
    this.#children.push(child);
    return child;
  }

  /**
   * What a subscriber saw of each session, in the order of their ids' first sight: `idle working idle(done) ended`. An
   * ended row leaves the list after a moment; that is not told.
   */
  states(): string[] {
    const rows = [...this.recorder.rows.values()].map((seen) => seen.filter(({ state }) => state !== 'gone'));
    return rows.map((seen) =>
      seen
        .map(({ state, entry }) => (state === 'idle' && entry?.outcome ? `idle(${entry.outcome})` : state))
        .join(' '),
    );
  }

  /** Waits until the states seen are these; throws with those that were seen. */
  async expectStates(expected: string[], withinMs = 90_000): Promise<void> {
    const fits = () => JSON.stringify(this.states()) === JSON.stringify(expected);
    if (await this.recorder.until(fits, withinMs)) return;
    throw new Error(
      `expected ${JSON.stringify(expected, null, 1)}\nbut saw ${JSON.stringify(this.states(), null, 1)}`,
    );
  }

  async stop(): Promise<void> {
    for (const child of this.#children)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    for (const terminal of this.#terminals) await terminal.close();
    this.#recorder?.close();
    try {
      await this.stopDaemon();
    } finally {
      await this.#model?.close();
      rmSync(this.home, { recursive: true, force: true });
    }
  }

  #command(): string[] {
    const script = agentPath(this.#release.agent);
    return [this.#release.agent === 'pi' ? agentPath('node24') : process.execPath, script];
  }

  #env(): Record<string, string> {
    return {
      HOME: this.home,
      PATH: process.env.PATH ?? '',
      SHELL: '/bin/bash',
      USER: 'dev',
      LANG: 'C.UTF-8',
      TMPDIR: this.home,
      PI_OFFLINE: '1',
    };
  }
}

/** Types a line into pi as a person would: Enter after a moment. */
export async function typeLine(terminal: CodexTerminal, text: string): Promise<void> {
  terminal.press(text);
  await sleep(800);
  terminal.press('\r');
}

/** pi's RPC mode: JSON lines in, JSON lines out. */
export class PiRpc {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
  readonly lines: Record<string, unknown>[] = [];
  #held = '';

  constructor(child: ChildProcess) {
    this.child = child;
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()));
    child.stdout?.on('data', (chunk: Buffer) => {
      const parts = (this.#held + chunk.toString()).split('\n');
      this.#held = parts.pop() ?? '';
      for (const part of parts) if (part !== '') this.lines.push(JSON.parse(part) as Record<string, unknown>);
    });
    child.stdin?.on('error', () => {});
  }

  send(message: Record<string, unknown>): void {
    this.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  prompt(text: string): void {
    this.send({ id: `prompt-${this.lines.length}`, type: 'prompt', message: text });
  }
}

/** Resolves with true when the process ended in time. */
export function endsWithin(child: ChildProcess, withinMs: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), withinMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
