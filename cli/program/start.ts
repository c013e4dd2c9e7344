import type { Command } from 'commander';
import { type CommandHost, runs, withExamples, withSocket } from './command-host.ts';

/** `omni-dev start`: what `npm start` runs. */
export function addStartCommand(program: Command, host: CommandHost): void {
  const start = withSocket(
    program.command('start').description('start the daemon where none runs and show the live table'),
  ).option('--demo', 'replay recorded sessions in a daemon of their own instead');
  withExamples(start, 'omni-dev start', 'omni-dev start --demo');
  runs(start, host, () => import('../commands/start.ts'));
}
