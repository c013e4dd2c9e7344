import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { resolvePaths } from '../../contract/paths.ts';
import { currentSurroundings } from '../../contract/surroundings.ts';
import { agentPath } from './agents.ts';
import type { CapturedLine, ExitStatus } from './capture.ts';
import { LabHome } from './claude-home.ts';
import { type MockModel, startMockAnthropic } from './mock-anthropic.ts';
import { type Sighting, StateRecorder } from './observed-states.ts';
import type { AnnouncedState } from './program-status.ts';
import { DaemonProcess, omniDev } from './programs.ts';
import { playStream, playTerminal } from './run-scenario.ts';
import { expandWords, loadScenario, type Scenario } from './scenario.ts';
import { type Launch, STREAM_ARGS, StreamHost } from './stream-host.ts';
import { TerminalHost } from './terminal-host.ts';

/** Silence of the mock model before each answer that says nothing else: long enough for `working` to be seen. */
const MODEL_PACE_MS = 700;
/** How long a subscriber may take to learn of an end: a killed process is found by a sweep. */
const END_MS = 25_000;

/** What is installed into the agent's surroundings before it starts. */
export interface LabSetup {
  /** Start the agent through the installed VS Code shim. */
  wrapped?: boolean;
  /** Install the product's hooks. */
  hooks?: boolean;
  /** Keep Claude from writing records of its live processes, as versions before them. */
  noRecords?: boolean;
}

/** Everything that one run of a scenario left to look at. */
export interface LabRun {
  scenario: Scenario;
  /** Lines of the stream; empty for a terminal. */
  capture: CapturedLine[];
  /** States that the agent announced to its terminal, its end included; empty for a stream. */
  announced: readonly AnnouncedState[];
  exit: ExitStatus;
  /** What a subscriber saw, by session id. */
  rows: ReadonlyMap<string, readonly Sighting[]>;
  /** Frames that the subscriber could not use. */
  problems: readonly string[];
  /** What the daemon printed. */
  daemonOutput: string;
  /** SHA-256 of what the host wrote and read. */
  digests: { written: string; read: string } | undefined;
}

/** A killed agent announces nothing: its end counts from the end of the process. */
function announcedWithExit(host: TerminalHost): readonly AnnouncedState[] {
  if (host.announced.at(-1)?.state === 'ended') return host.announced;
  return [...host.announced, { t: Date.now(), state: 'ended' }];
}

/** One real Claude in a home of its own, with a real daemon and a mock model around it. */
export class ClaudeLab {
  readonly home = new LabHome();
  /** Words of a program between wrapper and agent. */
  between: string[] = [];
  readonly #setup: LabSetup;
  readonly #socket: string;
  #daemon: DaemonProcess | undefined;
  #recorder: StateRecorder | undefined;
  #shim: string | undefined;

  constructor(setup: LabSetup) {
    this.#setup = setup;
    const around = { ...currentSurroundings(), env: this.home.env(), home: this.home.dir };
    this.#socket = resolvePaths(around).socket;
  }

  get recorder(): StateRecorder {
    if (this.#recorder === undefined) throw new Error('the lab has not been started');
    return this.#recorder;
  }

  get socket(): string {
    return this.#socket;
  }

  /** Starts the daemon and a subscriber, and installs what the set-up asks for with the product's own commands. */
  async start(): Promise<void> {
    this.#daemon = await DaemonProcess.start(this.#socket, this.home.env());
    this.#recorder = new StateRecorder(this.#socket);
    if (!(await this.#recorder.ready())) throw new Error('the subscriber got no first frame');
    if (this.#setup.wrapped) this.#shim = await this.#installWrapper();
    if (this.#setup.hooks) await omniDev(['sessions', 'install-hooks'], this.home.env());
  }

  /** Runs a scenario, whatever it needs before it first, and waits until the subscriber has seen the ends. */
  async run(scenario: Scenario): Promise<LabRun> {
    if (scenario.after !== undefined) {
      await this.#play(loadScenario(scenario.after), false);
      await this.recorder.until(() => this.#allEnded(), END_MS);
      this.recorder.forget();
    }
    const played = await this.#play(scenario, this.#setup.wrapped === true);
    await this.recorder.until(() => this.#allEnded(), END_MS);
    const { rows, problems } = this.recorder;
    return { scenario, ...played, rows, problems, daemonOutput: this.#daemon?.output ?? '' };
  }

  /** Stops everything and removes the home. */
  async stop(): Promise<void> {
    this.#recorder?.close();
    try {
      await this.#daemon?.stop();
    } finally {
      this.home.remove();
    }
  }

  /** How a host has to start Claude with these arguments: the wrapper in front, as VS Code puts it. */
  launch(args: string[], cwd: string, env: Record<string, string>, wrapped = true): Launch {
    const command = [agentPath('claude'), ...args];
    const words = [...(wrapped && this.#shim ? [this.#shim] : []), ...this.between, ...command];
    const [program = '', ...rest] = words;
    return { command: program, args: rest, cwd, env };
  }

  /** Starts the mock model for a scenario. */
  startModel(scenario: Scenario): Promise<MockModel> {
    return startMockAnthropic(scenario.mock, MODEL_PACE_MS);
  }

  async #play(
    scenario: Scenario,
    wrapped: boolean,
  ): Promise<Pick<LabRun, 'capture' | 'announced' | 'exit' | 'digests'>> {
    const model = await this.startModel(scenario);
    try {
      const words = { NODE: process.execPath, LAB: import.meta.dirname, OUT: this.home.dir };
      const expanded = expandWords(scenario, words);
      const cwd = this.home.prepare(expanded);
      if (this.#setup.noRecords) this.home.blockRecords();
      const env = this.home.claudeEnv(model.url, expanded);
      const own = expanded.mode === 'stream' ? STREAM_ARGS : [];
      const launch = this.launch([...own, ...(expanded.args ?? [])], cwd, env, wrapped);
      const around = { cwd, env: { ...env, CLAUDE: agentPath('claude') } };
      if (expanded.mode === 'tui') {
        const host = new TerminalHost(launch, { programStatus: expanded.program_status !== false });
        const exit = await playTerminal(host, expanded, around);
        return { capture: [], announced: announcedWithExit(host), exit, digests: undefined };
      }
      const host = new StreamHost(launch, expanded);
      const exit = await playStream(host, expanded, around);
      return { capture: host.capture, announced: [], exit, digests: host.digests() };
    } finally {
      await model.close();
    }
  }

  #allEnded(): boolean {
    const rows = [...this.recorder.rows.values()];
    return rows.every((sightings) => ['ended', 'gone'].includes(sightings.at(-1)?.state ?? ''));
  }

  /** Installs the VS Code shim and reads back, as VS Code would, which program the setting names. */
  async #installWrapper(): Promise<string> {
    const settings = this.home.vsCodeSettings;
    await omniDev(['sessions', 'install-wrapper', '--settings', settings], this.home.env());
    const written = parseJsonc(readFileSync(settings, 'utf8')) as Record<string, unknown>;
    const shim = written['claudeCode.claudeProcessWrapper'];
    if (typeof shim !== 'string' || !path.isAbsolute(shim)) {
      throw new Error('the setting names no wrapper');
    }
    return shim;
  }
}
