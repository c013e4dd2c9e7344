import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type ChildEnd, exitCodeOf } from './exit-status.ts';
import type { Observation } from './observe.ts';
import { OutputPump } from './output-pump.ts';
import { type OwnInput, openOwnInput } from './own-stdio.ts';
import { pump } from './pump.ts';
import { SignalRelay } from './signals.ts';
import { reportSpawnFailure } from './spawn-failure.ts';

/** How long the child's last output may take to arrive before the end of the session is reported. */
const LAST_OUTPUT_MS = 100;

/** A child that was told to hang up is reported as ended after this long, gone or not. */
const HANG_UP_MS = 1_000;

export interface WrapOptions {
  command: readonly [string, ...string[]];
  socket: string | undefined;
  /** Folder of this program. */
  programDir: string;
}

/**
 * Runs the command between this process's own stdin and stdout: bytes pass both ways unchanged, signals and the exit
 * status are mirrored, and what passes is observed. Leaves the process with the child's status.
 */
export async function wrap(options: WrapOptions): Promise<void> {
  let observation: Observation | undefined;
  const signals = new SignalRelay((signal) => {
    if (signal === 'SIGHUP') setTimeout(() => observation?.observer.announceEnd(), HANG_UP_MS).unref();
  });
  const input = openOwnInput();
  const child = launch(options.command, input === undefined ? 'inherit' : 'pipe');
  if (child.pid === undefined || child.stdout === null) return;
  signals.attach(child);
  const ended = endOf(child);
  const looks: Looks = {};
  const output = new OutputPump(child.stdout, (chunk) => looks.fromClaude?.(chunk));
  if (input !== undefined) pumpInput(input, child, (chunk) => looks.toClaude?.(chunk));

  observation = await startObserving(options, child.pid, output, looks);

  const end = await ended;
  signals.release();
  await Promise.all([settle(observation, output, end), output.delivered()]);
  process.exit(exitCodeOf(end));
}

interface Looks {
  fromClaude?: (chunk: Buffer) => void;
  toClaude?: (chunk: Buffer) => void;
}

function launch([file, ...args]: WrapOptions['command'], stdin: 'inherit' | 'pipe'): ChildProcess {
  try {
    const child = spawn(file, args, { stdio: [stdin, 'pipe', 'inherit'] });
    child.on('error', (error) => {
      if (child.pid === undefined) reportSpawnFailure(file, error);
    });
    return child;
  } catch (error) {
    return reportSpawnFailure(file, error);
  }
}

function endOf(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

function pumpInput(input: OwnInput, child: ChildProcess, look: (chunk: Buffer) => void): void {
  if (child.stdin === null) return;
  pump({
    source: input.stream,
    sink: child.stdin,
    look,
    onDone: (reason) => {
      if (reason === 'sink-broke') input.close();
    },
  });
}

/** Loaded while the child starts: nothing of it stands before the child's first byte. Without it the bytes just pass. */
async function startObserving(
  { command, socket, programDir }: WrapOptions,
  childPid: number,
  output: OutputPump,
  looks: Looks,
): Promise<Observation | undefined> {
  try {
    const { observe } = await import('./observe.ts');
    const onModel = (model: string) => output.setModel(model);
    const observation = observe({ command, childPid, socket, programDir, onModel });
    looks.fromClaude = observation.observer.reader('from_claude');
    looks.toClaude = observation.observer.reader('to_claude');
    return observation;
  } catch {
    return undefined;
  }
}

/** Reports the end of the session and closes the log, both bounded. */
async function settle(
  observation: Observation | undefined,
  output: OutputPump,
  end: ChildEnd,
): Promise<void> {
  await Promise.race([output.sourceEnded, delay(LAST_OUTPUT_MS)]);
  await observation?.finish(exitCodeOf(end));
}
