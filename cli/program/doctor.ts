import { type Command, Option } from 'commander';
import { type CommandHost, runs, withExamples, withOutput, withSocketOnly } from './command-host.ts';

/** `omni-dev doctor`: what is in order and what is not, each with its fix. */
export function addDoctorCommand(program: Command, host: CommandHost): void {
  const doctor = withOutput(
    withSocketOnly(
      program.command('doctor').description('what is in order and what is not, each with its fix'),
    ),
  ).option('--quick', 'only look: send no made-up sessions through the feeds');
  withExamples(doctor, 'omni-dev doctor', 'omni-dev doctor --quick', 'omni-dev doctor -o json');
  doctor.addHelpText(
    'after',
    '\nChanges nothing. Made-up sessions go through the installed programs in a throw-away home with a\n' +
      'daemon of its own. Exits with 1 when anything is a problem.',
  );
  runs(doctor, host, () => import('../commands/doctor.ts'));
}

/** `omni-dev verify-wrapper`: proof on this machine that the wrapper changes nothing. */
export function addVerifyCommands(program: Command, host: CommandHost): void {
  const verify = withOutput(
    program.command('verify-wrapper').description('prove on this machine that the wrapper changes nothing'),
  )
    .argument('[command...]', 'a command to compare as well; its output should be the same each time')
    .option('--shim <path>', 'the shim to test (default: the installed one, else this build)')
    .option('--pty', 'on terminals, as claude-wrap --pty and codex-wrap --pty run programs');
  withExamples(
    verify,
    'omni-dev verify-wrapper',
    'omni-dev verify-wrapper --pty',
    'omni-dev verify-wrapper -- claude --version',
  );
  runs(verify, host, () => import('../commands/verify-wrapper.ts'));

  const child = program.command('verify-child', { hidden: true }).argument('<mode...>');
  runs(child, host, () => import('../verify/child.ts'));
}

/** `omni-dev selftest`: whether the installed agent still says everything that is read here. */
export function addSelftestCommand(program: Command, host: CommandHost): void {
  const selftest = withOutput(
    program
      .command('selftest')
      .description('run one scripted turn of your agent and tell which of its signals came'),
  )
    .addOption(
      new Option('--agent <agent>', 'which agent').choices(['claude', 'codex']).makeOptionMandatory(),
    )
    .option('--program <path>', 'the agent to run (default: the one on the PATH)');
  withExamples(selftest, 'omni-dev selftest --agent claude', 'omni-dev selftest --agent codex -o json');
  selftest.addHelpText(
    'after',
    '\nThe agent runs in a throw-away home against a stand-in of its model on this machine: without your\n' +
      'credentials, settings and sessions, and without a network. Takes a minute at most. Exits with 1 when\n' +
      'a signal did not come.',
  );
  runs(selftest, host, () => import('../commands/selftest.ts'));
}
