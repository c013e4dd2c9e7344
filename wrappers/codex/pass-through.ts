import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import { exitCodeOf } from '../shared/exit-status.ts';
import { SignalRelay } from '../shared/signals.ts';
import { reportSpawnFailure } from '../shared/spawn-failure.ts';
import { runInTerminal } from '../shared/terminal.ts';

/**
 * Runs codex as if we were not there, on the same standard streams, and leaves with its status: on a terminal with the
 * terminal to itself, else with every signal passed on.
 */
export function passThrough(command: string, args: readonly string[]): void {
  if ([0, 1, 2].some((descriptor) => isatty(descriptor))) {
    runInTerminal([command, ...args], 'codex-wrap');
    return;
  }
  const relay = new SignalRelay();
  const child = spawn(command, args, { stdio: 'inherit' });
  relay.attach(child);
  child.once('error', (error) => {
    if (child.pid === undefined) reportSpawnFailure(command, error, 'codex-wrap');
  });
  child.once('exit', (code, signal) => process.exit(exitCodeOf({ code, signal })));
}
