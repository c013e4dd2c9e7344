import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type ChildEnd, exitCodeOf } from '../shared/exit-status.ts';
import { leaveStderrAlone } from '../shared/own-stderr.ts';
import { SignalRelay } from '../shared/signals.ts';
import { reportSpawnFailure } from '../shared/spawn-failure.ts';
import { LateObserver } from './late-observer.ts';
import { OutputPump } from './output-pump.ts';
import { type OwnInput, openOwnInput } from './own-stdio.ts';
import { pump } from './pump.ts';

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
  leaveStderrAlone();
  const signals = new SignalRelay((signal) => {
    if (signal === 'SIGHUP') setTimeout(() => observer.announceEnd(), HANG_UP_MS).unref();
  });
  const input = openOwnInput();
  const child = launch(options.command, input === undefined ? 'inherit' : 'pipe');
  const childPid = child.pid;
  if (childPid === undefined || child.stdout === null) return;
  signals.attach(child);
  const ended = endOf(child);
  const observer = new LateObserver(async () => {
    const { observe } = await import('./observe.ts');
    return observe({ ...options, childPid, onModel: (model) => output.setModel(model) });
  });
  const output = new OutputPump(child.stdout, observer.look('from_claude'));
  if (input !== undefined) pumpInput(input, child, observer.look('to_claude'));
  if (process.env.OMNI_DEV_CLAUDE_WRAP_LOG) void observer.start();

  // Whatever may fail in what watches the child must not end the forwarding.
  process.on('uncaughtException', () => {});

  const end = await ended;
  signals.detach();
  const delivered = output.delivered();
  await settle(observer, output, end);
  // Whoever asks us to go while only a slow reader is left has his way.
  if (!signals.release()) await delivered;
  process.exit(exitCodeOf(end));
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

/** Reports the end of the session and closes the log, both bounded. Never fails. */
async function settle(observer: LateObserver, output: OutputPump, end: ChildEnd): Promise<void> {
  await Promise.race([output.sourceEnded, delay(LAST_OUTPUT_MS)]);
  await observer.finish(exitCodeOf(end)).catch(() => {});
}
