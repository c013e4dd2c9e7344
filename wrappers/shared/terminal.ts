import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type ChildEnd, exitCodeOf } from './exit-status.ts';
import { reportSpawnFailure, type Wrapper } from './spawn-failure.ts';

/** Signals for this process that are meant for the child. What the terminal itself sends reaches the child anyway. */
const RELAYED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Gets out of the way of a child on a terminal: it has the terminal, the process group and every signal to itself.
 *
 * A process that cannot replace itself stays behind as an empty shell around the child: it ignores what the terminal
 * sends (the child got it too), stops when the child stops, so that the user's shell has the prompt back, lets the
 * child continue when it is continued, and leaves with the child's status.
 */
export function runInTerminal([file, ...args]: readonly [string, ...string[]], wrapper?: Wrapper): void {
  let child: ChildProcess | undefined;
  for (const signal of RELAYED) process.on(signal, () => child?.kill(signal));
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {});
  process.on('SIGCONT', () => child?.kill('SIGCONT'));
  process.on('SIGCHLD', () => stopWith(child));
  try {
    child = spawn(file, args, { stdio: 'inherit' });
  } catch (error) {
    reportSpawnFailure(file, error, wrapper);
  }
  child.on('error', (error) => {
    if (child?.pid === undefined) reportSpawnFailure(file, error, wrapper);
  });
  child.on('exit', (code, signal) => leave({ code, signal }));
}

function stopWith(child: ChildProcess | undefined): void {
  if (child?.pid !== undefined && isStopped(child.pid)) process.kill(process.pid, 'SIGSTOP');
}

function leave(end: ChildEnd): void {
  process.exit(exitCodeOf(end));
}

/** True when the process is stopped (Linux; elsewhere nothing tells without starting a process). */
export function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2) === 'T';
  } catch {
    return false;
  }
}
