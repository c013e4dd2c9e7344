import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { ChildEnd } from '../shared/exit-status.ts';
import { say, type Wrapper } from '../shared/spawn-failure.ts';
import { isStopped } from '../shared/terminal.ts';
import { canRun } from './executable.ts';
import { InputSide } from './input-side.ts';
import { shareStops } from './job-control.ts';
import { OutputSide } from './output-side.ts';
import { OwnTerminal } from './own-terminal.ts';
import { ProgramStatus } from './program-status.ts';
import { PtyLauncher, type PtyProcess } from './pty-process.ts';
import { SequenceFilter } from './sequence-filter.ts';
import { Signals } from './session-signals.ts';
import { StatusExchange } from './status-exchange.ts';
import { TerminalModes } from './terminal-modes.ts';
import { TerminalTitle } from './terminal-title.ts';

/** Claude's own rhythm. */
const SPINNER_MS = 960;
/** A process that the program left behind may hold its terminal open: this much silence means nothing more comes. */
const LAST_OUTPUT_MS = 200;
const POLL_MS = 10;
/** Exit codes above this name a signal. */
const SIGNAL_CODES = 128;

export interface PtySessionOptions {
  command: readonly [string, ...string[]];
  /** The wrapper's name, for what it says with `verbose`. */
  wrapper: Wrapper;
  verbose: boolean;
  /** What stands before the program's titles, given the model; undefined leaves titles as they are. */
  titlePrefix: ((model: string) => string) | undefined;
}

/**
 * A program on a pseudo-terminal between it and the user's terminal: bytes, size, stops and signals pass both ways, and
 * what the program tells its terminal of its state is read.
 */
export class PtySession {
  readonly #terminal: OwnTerminal;
  readonly #child: PtyProcess;
  readonly #signals: Signals;
  readonly #title: TerminalTitle;
  readonly #status = new ProgramStatus();
  readonly #modes = new TerminalModes();
  #refreshTitle: () => void = () => {};

  private constructor(
    terminal: OwnTerminal,
    child: PtyProcess,
    signals: Signals,
    titlePrefix: PtySessionOptions['titlePrefix'],
  ) {
    this.#terminal = terminal;
    this.#child = child;
    this.#signals = signals;
    this.#title = new TerminalTitle(titlePrefix);
  }

  /**
   * Starts the program and takes the user's terminal; {@link run} has to follow in the same turn of the event loop.
   *
   * @returns undefined when that cannot be done here: nothing was started, and the caller runs the command plainly
   */
  static start(options: PtySessionOptions): PtySession | undefined {
    const [file, ...args] = options.command;
    const { wrapper, verbose } = options;
    if (!canRun(file, process.env.PATH)) return undefined;
    if (!isatty(2)) {
      // On a pseudo-terminal its errors would go to the screen, not where the user wants them.
      if (verbose) say(`omni-dev ${wrapper}: stderr is no terminal; running the command plainly`);
      return undefined;
    }
    const launcher = launcherFor(wrapper, verbose);
    const terminal = launcher && OwnTerminal.open();
    if (launcher === undefined || terminal === undefined) return undefined;
    process.on('exit', () => terminal.restore());
    // Before the program is there: one that signals us at once must not find us without handlers, the terminal raw.
    const signals = new Signals();
    terminal.enterRaw();
    try {
      const child = launcher.start(file, args, terminal.size);
      signals.attach(child);
      return new PtySession(terminal, child, signals, options.titlePrefix);
    } catch {
      terminal.restore();
      signals.release();
      if (verbose) say(`omni-dev ${wrapper}: no pseudo-terminal can be had; running the command plainly`);
      return undefined;
    }
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The model became known or changed. */
  setModel(model: string): void {
    this.#title.setModel(model);
    this.#refreshTitle();
  }

  /**
   * Forwards until the program has ended and the terminal has everything it wrote, and puts the terminal back. A signal
   * that comes after the end cuts the waiting short; the end is that signal's then.
   *
   * @param onStatus called after each record of program status
   */
  async run(onStatus: (status: ProgramStatus) => void): Promise<ChildEnd> {
    // Whatever may fail in what watches the program must not end the forwarding.
    process.on('uncaughtException', () => {});
    const terminal = this.#terminal;
    const child = this.#child;
    terminal.onResize((size) => child.resize(size));
    const leaveStopsAlone = shareStops(terminal, child, isStopped);
    const { output, input } = this.#connect(onStatus);
    const spinner = setInterval(() => {
      if (!this.#title.spins) return;
      this.#title.turnSpinner();
      this.#refreshTitle();
    }, SPINNER_MS);

    const end = await child.exited;
    const late = await Promise.race([this.#signals.late(), lastOutput(child, output)]);
    clearInterval(spinner);
    input.stop();
    leaveStopsAlone();
    if (wasKilled(end)) terminal.writeNow(this.#modes.undo());
    terminal.restore();
    this.#signals.release();
    return late === undefined ? end : { code: null, signal: late };
  }

  #connect(onStatus: (status: ProgramStatus) => void): { output: OutputSide; input: InputSide } {
    const title = this.#title;
    const exchange = new StatusExchange({
      answerProgram: (answer) => input.write(answer),
      terminalWasAsked: () => input.expectAnswer(),
      record: (text) => {
        this.#status.read(text);
        title.setState(this.#status.current?.state);
        onStatus(this.#status);
      },
    });
    let missed: Buffer | undefined;
    const filter = new SequenceFilter({
      osc: (sequence) => {
        if (sequence.code !== '7501') return title.take(sequence);
        const passes = exchange.take(sequence);
        title.setMarks(exchange.isOursAlone);
        return passes;
      },
      mode: (parameters, final) => this.#modes.take(parameters, final),
    });
    const output = new OutputSide(this.#child.stream, this.#terminal.output, filter, () => {
      if (missed !== undefined) output.write(missed);
      missed = undefined;
      this.#refreshTitle();
    });
    this.#refreshTitle = () => {
      const correction = output.isAtBoundary ? title.correction() : undefined;
      if (correction !== undefined) output.write(correction);
    };
    const input = new InputSide({
      from: this.#terminal.input,
      to: this.#child.stream,
      onAnswer: () => {
        missed = exchange.terminalAnswered();
        title.setMarks(false);
      },
      onHangUp: () => this.#signals.hangUp(),
    });
    return { output, input };
  }
}

/** A program that a signal ended; one above it says so as a shell does. */
function wasKilled({ code, signal }: ChildEnd): boolean {
  return signal !== null || (code ?? 0) > SIGNAL_CODES;
}

function launcherFor(wrapper: Wrapper, verbose: boolean): PtyLauncher | undefined {
  try {
    return new PtyLauncher();
  } catch {
    if (verbose) say(`omni-dev ${wrapper}: node-pty is not there; running the command plainly`);
    return undefined;
  }
}

/** Waits until the terminal has everything that the program wrote. */
async function lastOutput(child: PtyProcess, output: OutputSide): Promise<undefined> {
  while (output.isWaiting) await delay(POLL_MS);
  const rest = child.takeRest();
  if (rest === undefined) await silence(child, output);
  for (const chunk of rest ?? []) output.push(chunk);
  output.finish();
  while (output.isWaiting) await delay(POLL_MS);
}

/** Waits until nothing more can come, or nothing does. */
async function silence(child: PtyProcess, output: OutputSide): Promise<void> {
  let isDrained = false;
  void child.drained.then(() => {
    isDrained = true;
  });
  const endedAt = performance.now();
  const quietMs = () => Math.min(output.quietMs, performance.now() - endedAt);
  while (!isDrained && quietMs() <= LAST_OUTPUT_MS) await Promise.race([child.drained, delay(POLL_MS)]);
}
