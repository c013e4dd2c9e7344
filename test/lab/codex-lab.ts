import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { resolvePaths } from '../../contract/paths.ts';
import { currentSurroundings } from '../../contract/surroundings.ts';
import { socketBehind } from '../../wrappers/codex/socket-files.ts';
import { PROGRAMS_DIR } from '../support/programs.ts';
import { CodexHome, nativeCodex } from './codex-home.ts';
import { CODEX_SCRIPTS } from './codex-model.ts';
import { CodexTerminal } from './codex-terminal.ts';
import { type CodexModel, startMockOpenai } from './mock-openai.ts';
import { type Sighting, StateRecorder } from './observed-states.ts';
import { DaemonProcess } from './programs.ts';

/** The interface is ready for a prompt. */
export const READY = /Ask Codex|\? for shortcuts/;
/** A command waits for the user's approval. */
export const APPROVAL = /Would you like to run the following command/;

/** A state that a subscriber saw, with the outcome where there is one: `working`, `idle done`. */
export type SeenState = string;

/** One real Codex in a home of its own, with a real daemon and a mock model around it. */
export class CodexLab {
  readonly home = new CodexHome();
  readonly socket: string;
  readonly runtimeDir: string;
  readonly #terminals: CodexTerminal[] = [];
  #model: CodexModel | undefined;
  #daemon: DaemonProcess | undefined;
  #recorder: StateRecorder | undefined;

  constructor() {
    const around = { ...currentSurroundings(), env: this.env(), home: this.home.home };
    const paths = resolvePaths(around);
    this.socket = paths.socket;
    this.runtimeDir = paths.runtimeDir;
  }

  env(): Record<string, string> {
    return { ...this.home.env(), OMNI_DEV_NO_AUTOSTART: '1' };
  }

  get model(): CodexModel {
    if (this.#model === undefined) throw new Error('the lab has not been started');
    return this.#model;
  }

  get recorder(): StateRecorder {
    if (this.#recorder === undefined) throw new Error('the lab has no daemon');
    return this.#recorder;
  }

  get daemon(): DaemonProcess {
    if (this.#daemon === undefined) throw new Error('the lab has no daemon');
    return this.#daemon;
  }

  /** Starts the model, a daemon and a subscriber. */
  async start(options: { features?: Record<string, boolean>; daemon?: boolean } = {}): Promise<void> {
    this.#model = await startMockOpenai(CODEX_SCRIPTS);
    this.home.configure(this.#model.url, options.features);
    if (options.daemon === false) return;
    await this.startDaemon();
    this.#recorder = new StateRecorder(this.socket);
    if (!(await this.#recorder.ready())) throw new Error('the subscriber got no first frame');
  }

  async startDaemon(): Promise<void> {
    this.#daemon = await DaemonProcess.start(this.socket, this.env());
  }

  /** Starts `codex-wrap OPTIONS -- codex ARGS` on a terminal and waits until it shows `ready`, or for nothing. */
  async wrapped(
    args: string[] = [],
    ready: RegExp | null = READY,
    options: string[] = [],
  ): Promise<CodexTerminal> {
    const [command = '', ...words] = this.wrapperCommand(options);
    return this.onTerminal(command, [...words, ...args], ready);
  }

  /** The words of `codex-wrap OPTIONS -- codex`. */
  wrapperCommand(options: string[] = []): string[] {
    return [process.execPath, path.join(PROGRAMS_DIR, 'codex-wrap.cjs'), ...options, '--', nativeCodex()];
  }

  /** Starts codex itself on a terminal. */
  async plain(args: string[] = [], ready: RegExp | null = READY): Promise<CodexTerminal> {
    return this.onTerminal(nativeCodex(), args, ready);
  }

  async onTerminal(command: string, args: string[], ready: RegExp | null = null): Promise<CodexTerminal> {
    const terminal = new CodexTerminal({ command, args, cwd: this.home.project, env: this.env() });
    this.#terminals.push(terminal);
    if (ready !== null) await terminal.see(ready, 60_000);
    return terminal;
  }

  /** Rows seen so far, in the order in which they appeared. */
  get sessions(): string[] {
    return [...this.recorder.rows.keys()];
  }

  /** What a subscriber saw of a row, by its number. */
  sightings(row = 0): readonly Sighting[] {
    return this.recorder.rows.get(this.sessions[row] ?? '') ?? [];
  }

  /** The states of a row in order. A row that went out of the list after its end is not told twice. */
  states(row = 0): SeenState[] {
    return this.sightings(row)
      .filter(({ state }) => state !== 'gone')
      .map(({ state, entry }) => (state === 'idle' && entry?.outcome ? `${state} ${entry.outcome}` : state));
  }

  /** Waits until a row has the state; throws with what was seen when it does not. */
  async reach(state: SeenState, row = 0, withinMs = 30_000): Promise<void> {
    const reached = () => this.states(row).at(-1) === state;
    if (await this.recorder.until(reached, withinMs)) return;
    throw new Error(`row ${row} never became "${state}": ${this.states(row).join(' > ') || 'not seen'}`);
  }

  /** What a killed or stopped Codex may leave: links, sockets and locks of private servers, locks of threads. */
  leftFiles(): string[] {
    const uid = process.getuid?.() ?? 0;
    const links = namesIn(this.runtimeDir).filter((name) => name.startsWith('codex-wrap-'));
    const threadLocks = namesIn(path.join(this.home.codexHome, 'thread-writer-locks'));
    const sockets = this.#terminals.flatMap(({ pid }) => {
      const socket = socketBehind(path.join(this.runtimeDir, `codex-wrap-${pid}.sock`), uid);
      return [socket, `${socket}.lock`].filter((file) => existsSync(file));
    });
    return [...links, ...threadLocks.filter((name) => !name.startsWith('.')), ...sockets];
  }

  /** Removes the thread locks that a killed Codex left. */
  removeThreadLocks(): void {
    rmSync(path.join(this.home.codexHome, 'thread-writer-locks'), { recursive: true, force: true });
  }

  /** Stops everything and removes the home. */
  async stop(): Promise<void> {
    this.#recorder?.close();
    for (const terminal of this.#terminals) await terminal.close();
    try {
      await this.#daemon?.stop();
    } finally {
      await this.#model?.close();
      await this.home.remove();
    }
  }
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
