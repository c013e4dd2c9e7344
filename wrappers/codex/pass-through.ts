import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import { exitCodeOf } from '../claude/exit-status.ts';
import { SignalRelay } from '../claude/signals.ts';
import { reportSpawnFailure } from '../claude/spawn-failure.ts';
import { runInTerminal } from '../claude/terminal.ts';

/**
 * Runs codex as if we were not there, on the same standard streams, and leaves with its status: on a terminal with the
 * terminal to itself, else with every signal passed on.
 */
export function passThrough(command: string, args: readonly string[]): void {
  if ([0, 1, 2].some((descriptor) => isatty(descriptor))) {
    runInTerminal([command, ...args]);
    return;
  }
  const relay = new SignalRelay();
  const child = spawn(command, args, { stdio: 'inherit' });
  relay.attach(child);
  child.once('error', (error) => {
    if (child.pid === undefined) reportSpawnFailure(command, error);
  });
  child.once('exit', (code, signal) => process.exit(exitCodeOf({ code, signal })));
}
