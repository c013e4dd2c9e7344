import { setTimeout as delay } from 'node:timers/promises';
import { exitCodeOf } from '../exit-status.ts';
import { say } from '../spawn-failure.ts';
import { isStopped } from '../terminal.ts';
import { titlesAreOff } from '../title-prefix.ts';
import { canRun } from './executable.ts';
import { InputSide } from './input-side.ts';
import { shareStops } from './job-control.ts';
import { Observation } from './observation.ts';
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

export interface PtySessionOptions {
  command: readonly [string, ...string[]];
  socket: string | undefined;
  programDir: string;
  verbose: boolean;
}

/**
 * Runs the command on a pseudo-terminal between it and the user's terminal, and leaves the process with its status.
 *
 * @returns false when that cannot be done here: nothing was started, and the caller runs the command plainly
 */
export async function runOnPty(options: PtySessionOptions): Promise<boolean> {
  const [file, ...args] = options.command;
  if (!canRun(file, process.env.PATH)) return false;
  const launcher = launcherFor(options.verbose);
  const terminal = launcher && OwnTerminal.open();
  if (launcher === undefined || terminal === undefined) return false;
  process.on('exit', () => terminal.restore());
  // Before the program is there: one that signals us at once must not find us without handlers, the terminal raw.
  const signals = new Signals();
  terminal.enterRaw();
  let child: PtyProcess;
  try {
    child = launcher.start(file, args, terminal.size);
  } catch {
    terminal.restore();
    signals.release();
    if (options.verbose)
      say('omni-dev claude-wrap: no pseudo-terminal can be had; running the command plainly');
    return false;
  }
  signals.attach(child);
  await conduct(options, terminal, child, signals);
  return true;
}

function launcherFor(verbose: boolean): PtyLauncher | undefined {
  try {
    return new PtyLauncher();
  } catch {
    if (verbose) say('omni-dev claude-wrap: node-pty is not there; running the command plainly');
    return undefined;
  }
}

async function conduct(
  options: PtySessionOptions,
  terminal: OwnTerminal,
  child: PtyProcess,
  signals: Signals,
): Promise<void> {
  // Whatever may fail in what watches the program must not end the forwarding.
  process.on('uncaughtException', () => {});
  terminal.onResize((size) => child.resize(size));
  shareStops(terminal, child, isStopped);

  const status = new ProgramStatus();
  const modes = new TerminalModes();
  const title = new TerminalTitle(!titlesAreOff(process.env));
  const refreshTitle = () => {
    if (!output.isAtBoundary) return;
    const correction = title.correction();
    if (correction !== undefined) output.write(correction);
  };
  const observation = new Observation({
    ...options,
    childPid: child.pid,
    onModel: (model) => {
      title.setModel(model);
      refreshTitle();
    },
  });
  const exchange = new StatusExchange({
    answerProgram: (answer) => input.write(answer),
    terminalWasAsked: () => input.expectAnswer(),
    record: (text) => {
      status.read(text);
      title.setState(status.current?.state);
      observation.setState(status.current);
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
    mode: (parameters, final) => modes.take(parameters, final),
  });
  const output = new OutputSide(child.stream, terminal.output, filter, () => {
    if (missed !== undefined) output.write(missed);
    missed = undefined;
    refreshTitle();
  });
  const input = new InputSide({
    from: terminal.input,
    to: child.stream,
    onAnswer: () => {
      missed = exchange.terminalAnswered();
      title.setMarks(false);
    },
    onHangUp: () => signals.hangUp(),
  });
  const spinner = setInterval(() => {
    if (!title.spins) return;
    title.turnSpinner();
    refreshTitle();
  }, SPINNER_MS);

  const end = await child.exited;
  signals.leaveAtOnce();
  await lastOutput(child, output);
  clearInterval(spinner);
  input.stop();
  if (end.signal !== null) terminal.writeNow(modes.undo());
  terminal.restore();
  await observation.finish().catch(() => {});
  process.exit(exitCodeOf(end));
}

/** Waits until the terminal has everything that the program wrote. */
async function lastOutput(child: PtyProcess, output: OutputSide): Promise<void> {
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
