import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CodexTerminal } from '../../lab/codex-terminal.ts';
import { PROGRAMS_DIR } from '../../support/programs.ts';
import { RecordingDaemon } from './recording-daemon.ts';

const PROGRAM = path.join(PROGRAMS_DIR, 'codex-wrap.cjs');
const FAKE = path.join(import.meta.dirname, 'codex-fake.mjs');

export interface FakeScript {
  server?: 'works' | 'exits' | 'never-listens' | 'never-upgrades' | 'ignores-one-term' | 'ignores-term';
  screen?: 'works' | 'exits-1' | 'exits-2';
  rollout?: string;
  model?: string;
}

interface LogEntry {
  what: string;
  pid: number;
  args?: string[];
  cwd?: string;
  marker?: string;
  terminal?: string;
  method?: string;
  client?: { name: string; version: string };
}

/** One real `codex-wrap` in a real PTY in front of a scripted codex, with a throw-away home and a recording daemon. */
export class WrappedFake {
  readonly root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'codex-wrap-test-')));
  readonly project = path.join(this.root, 'project');
  readonly runtimeDir = path.join(this.root, 'home', '.local', 'share', 'omni-dev');
  readonly daemon: RecordingDaemon;
  readonly #terminals: CodexTerminal[] = [];
  readonly #script: FakeScript;

  constructor(script: FakeScript = {}) {
    this.#script = script;
    mkdirSync(this.project);
    this.daemon = new RecordingDaemon(path.join(this.runtimeDir, 'daemon.sock'));
  }

  /** Starts `codex-wrap OPTIONS -- codex ARGS`. */
  start(args: string[] = [], env: Record<string, string> = {}, options: string[] = []): CodexTerminal {
    const [program = '', ...words] = this.command(options);
    return this.startProgram(program, [...words, ...args], env);
  }

  /** The words of `codex-wrap OPTIONS -- codex`. */
  command(options: string[] = []): string[] {
    return [process.execPath, PROGRAM, ...options, '--', FAKE];
  }

  /** Starts any program on a terminal in the same surroundings. */
  startProgram(command: string, args: string[], env: Record<string, string> = {}): CodexTerminal {
    const terminal = new CodexTerminal({ command, args, cwd: this.project, env: { ...this.env(), ...env } });
    this.#terminals.push(terminal);
    return terminal;
  }

  env(): Record<string, string> {
    return {
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`,
      HOME: path.join(this.root, 'home'),
      TERM: 'xterm-256color',
      OMNI_DEV_NO_AUTOSTART: '1',
      FAKE_CODEX: JSON.stringify({ ...this.#script, log: path.join(this.root, 'log') }),
    };
  }

  /** What the fake programs did so far. */
  log(what?: string): LogEntry[] {
    try {
      const lines = readFileSync(path.join(this.root, 'log'), 'utf8').trim().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as LogEntry);
      return what === undefined ? entries : entries.filter((entry) => entry.what === what);
    } catch {
      return [];
    }
  }

  /** Processes of the fake program that run now. */
  running(): number[] {
    return [...new Set(this.log().map(({ pid }) => pid))].filter((pid) => isAlive(pid));
  }

  /** Files of private servers that lie around: links, and sockets and locks behind them. */
  async leftFiles(): Promise<string[]> {
    const links = readdirSync(this.runtimeDir).filter((name) => name.startsWith('codex-wrap-'));
    return [...links, ...(await this.#socketsBehind())];
  }

  async stop(): Promise<void> {
    for (const terminal of this.#terminals) await terminal.close();
    for (const pid of this.running()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It went by itself.
      }
    }
    await this.daemon.close();
    // A server that was killed leaves them behind, as the real one does.
    for (const name of await this.#socketsBehind()) rmSync(path.join(SOCKETS, name), { force: true });
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Names of the sockets and locks of this run's servers in the folder that Codex keeps them in. */
  async #socketsBehind(): Promise<string[]> {
    const { socketBehind } = await import('../../../wrappers/codex/socket-files.ts');
    const mine = this.log('interface')
      .concat(this.log('server'))
      .flatMap(({ args }) => args ?? [])
      .filter((word) => word.startsWith('unix://'))
      .map((word) => path.basename(socketBehind(word.slice('unix://'.length), UID)));
    return safeList(SOCKETS).filter((name) => mine.some((hash) => name.startsWith(hash)));
  }
}

const UID = process.getuid?.() ?? 0;
const SOCKETS = `/tmp/codex-daemon-${UID}`;

function safeList(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}
