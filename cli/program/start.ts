import type { Command } from 'commander';
import { type CommandHost, positiveNumber, runs, withExamples, withSocket } from './command-host.ts';

/** `omni-dev start`: what `npm start` runs. */
export function addStartCommand(program: Command, host: CommandHost): void {
  const start = withSocket(
    program.command('start').description('start the daemon where none runs and show the live table'),
  )
    .option('--demo', 'replay recorded sessions in a daemon of their own instead')
    .option('--speed <factor>', 'how fast the demo runs', positiveNumber, 1);
  withExamples(start, 'omni-dev start', 'omni-dev start --demo');
  runs(start, host, () => import('../commands/start.ts'));
}

/** The child that the demo's wrapper runs: of no use by hand, so not in any help. */
export function addDemoAgentCommand(program: Command, host: CommandHost): void {
  const agent = program
    .command('demo-agent', { hidden: true })
    .argument('<recording>')
    .requiredOption('--session <id>')
    .option('--speed <factor>', '', positiveNumber, 1);
  runs(agent, host, () => import('../demo/agent.ts'));
}
