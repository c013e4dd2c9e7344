import type { Command } from 'commander';
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
    .option('--shim <path>', 'the shim to test (default: the installed one, else this build)');
  withExamples(verify, 'omni-dev verify-wrapper', 'omni-dev verify-wrapper -- claude --version');
  runs(verify, host, () => import('../commands/verify-wrapper.ts'));

  const child = program.command('verify-child', { hidden: true }).argument('<mode...>');
  runs(child, host, () => import('../verify/child.ts'));
}
