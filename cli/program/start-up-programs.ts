import { type Command, Option } from 'commander';
import { UsageError } from '../usage-error.ts';
import { withExamples, withSocketOnly } from './command-host.ts';

/** The commands that are programs of their own, for their help: the program choice runs them before we are loaded. */
export function addStartUpPrograms(program: Command, sessions: Command): void {
  const hook = withSocketOnly(
    sessions.command('hook').description('report one hook event read from stdin (what installed hooks run)'),
  ).addOption(
    new Option('--agent <agent>', 'whose hook it is').choices(['claude', 'codex']).default('claude'),
  );
  withExamples(hook, 'omni-dev sessions hook --agent codex < event.json');
  neverRuns(hook);

  const claude = withTerminalOptions(
    program.command('claude-wrap').description('run Claude Code and report its exact state; changes no byte'),
  ).argument('<command...>', 'the command to run, after --');
  withExamples(
    claude,
    'omni-dev claude-wrap --pty -- claude',
    'omni-dev claude-wrap -- claude -p "hello" --output-format stream-json --verbose',
  );
  neverRuns(claude);

  const codex = withTerminalOptions(
    program.command('codex-wrap').description('run Codex on a private server and report its exact states'),
  ).argument('<command...>', 'the command to run, after --');
  withExamples(codex, 'omni-dev codex-wrap -- codex', 'omni-dev codex-wrap --pty -- codex');
  neverRuns(codex);
}

function withTerminalOptions(command: Command): Command {
  return withSocketOnly(command)
    .option('--pty', 'in a terminal: stand between it and the program (see docs/terminal.md)')
    .option('--no-pty', 'not so, whatever `wrappers.pty` in ~/.omni-dev/settings.json says')
    .option('--verbose', 'say on stderr why --pty is not possible here');
}

function neverRuns(command: Command): void {
  command.action(() => {
    throw new UsageError('put the name of the command first, its options behind it');
  });
}
