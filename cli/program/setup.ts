import type { Command } from 'commander';
import { type CommandHost, runs, withExamples, withOutput, withSocketOnly } from './command-host.ts';

/** `omni-dev setup` and `omni-dev teardown`: everything for the agents and editors found here, and all of it back. */
export function addSetupCommands(program: Command, host: CommandHost): void {
  const setup = withOutput(
    withSocketOnly(
      program
        .command('setup')
        .description('find agents and editors, show what would change, and install it when you agree'),
    ),
  ).option('-y, --yes', 'make the changes without asking');
  withExamples(setup, 'omni-dev setup', 'omni-dev setup --yes', 'omni-dev setup -o json');
  setup.addHelpText('after', '\nWith -o json it only tells the plan, unless --yes is given too.');
  runs(setup, host, () => import('../commands/setup.ts'));

  const teardown = withSocketOnly(
    program.command('teardown').description('take everything out again and stop the daemon'),
  ).option('-y, --yes', 'do it without asking');
  withExamples(teardown, 'omni-dev teardown');
  runs(teardown, host, () => import('../commands/teardown.ts'));
}
