import { Argument, type Command } from 'commander';
import { type CommandHost, runs, withExamples, withSocketOnly } from './command-host.ts';

/** Commands for other programs: shell completion and the schemas of the wire. */
export function addToolCommands(program: Command, host: CommandHost): void {
  const completion = program
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']));
  withExamples(
    completion,
    'source <(omni-dev completion bash)',
    'omni-dev completion zsh > ~/.zsh/completions/_omni-dev    # a folder of your fpath',
    'omni-dev completion fish > ~/.config/fish/completions/omni-dev.fish',
  );
  runs(completion, host, () => import('../commands/completion.ts'));

  const schema = program
    .command('schema')
    .description('print the JSON Schema of a message of the protocol')
    .argument('[name]', 'which message; without it the names');
  withExamples(schema, 'omni-dev schema', 'omni-dev schema snapshot');
  runs(schema, host, () => import('../commands/schema.ts'));

  runs(
    withSocketOnly(program.command('session-ids', { hidden: true })),
    host,
    () => import('../commands/session-ids.ts'),
  );
}
