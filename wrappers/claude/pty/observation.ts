import { resolvePaths } from '../../../contract/paths.ts';
import { StateReporter } from '../../../contract/state-reporter.ts';
import { currentSurroundings } from '../../../contract/surroundings.ts';
import type { ProgramStatus } from '../../pty/program-status.ts';
import { autostartIsOff, sendAndStartWhenAbsent, startDaemon } from '../../shared/daemon-start.ts';
import { pidNamespace } from '../agent-pid.ts';
import { END_MS } from '../observer.ts';
import { LiveSession } from './live-session.ts';
import { SessionModel } from './session-model.ts';
import { SessionReports } from './session-reports.ts';

/** Every state is repeated; the feed counts as gone after 75 s of silence. */
const REASSERT_MS = 25_000;
/** How often the record is looked for, and looked at once it was found. */
const SEARCH_MS = 250;
const LOOKS_PER_SEARCH = 4;
/** The record is this much later than what the terminal is told, at most of the time. */
const RECORD_LATENESS_MS = 150;

export interface ObservationOptions {
  childPid: number;
  socket: string | undefined;
  /** Folder of this program, where the daemon's lies too. */
  programDir: string;
  onModel(model: string): void;
}

/** What is learned of the session behind the terminal, and who is told. */
export class Observation {
  readonly #options: ObservationOptions;
  readonly #session: LiveSession;
  readonly #model: SessionModel;
  readonly #reporter: StateReporter;
  readonly #reports: SessionReports;
  readonly #timers: NodeJS.Timeout[];
  #lateLook: NodeJS.Timeout | undefined;
  #isFound = false;
  #ticks = 0;

  constructor(options: ObservationOptions) {
    this.#options = options;
    const around = currentSurroundings();
    this.#session = new LiveSession(options.childPid, around);
    this.#model = new SessionModel(around);
    const { socket, programDir } = options;
    this.#reporter = new StateReporter({
      socket: resolvePaths(around, socket).socket,
      ...(autostartIsOff(around.env)
        ? {}
        : { send: sendAndStartWhenAbsent(() => startDaemon(programDir, socket)) }),
    });
    this.#reports = new SessionReports({ reporter: this.#reporter, pidNamespace: pidNamespace() });
    this.#timers = [
      setInterval(() => this.#tick(), SEARCH_MS),
      setInterval(() => this.#reports.reassert(), REASSERT_MS),
    ];
  }

  /** The program announced its state, or took it back. */
  setStatus(status: ProgramStatus): void {
    this.#reports.setState(status.current, Date.now(), status.unknownWords);
    clearTimeout(this.#lateLook);
    this.#lateLook = setTimeout(() => this.#look(), RECORD_LATENESS_MS);
  }

  /** The program has ended: reports it and waits for the daemon to take it, bounded. */
  async finish(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#lateLook);
    this.#reports.end();
    await this.#reporter.close(END_MS);
  }

  #tick(): void {
    this.#ticks += 1;
    if (!this.#isFound || this.#ticks % LOOKS_PER_SEARCH === 0) this.#look();
  }

  #look(): void {
    const record = this.#session.look();
    if (record === undefined) return;
    this.#isFound = true;
    this.#reports.setRecord(record);
    const model = this.#model.look(record.sessionId, record.cwd);
    if (model === undefined) return;
    this.#reports.setModel(model);
    this.#options.onModel(model);
  }
}
