import type { Command } from 'commander';
import { type CommandHost, runs, withExamples, withOutput, withSocketOnly } from './command-host.ts';

/** `omni-dev doctor`: what is in order and what is not, each with its fix. */
export function addDoctorCommand(program: Command, host: CommandHost): void {
  const doctor = withOutput(
    withSocketOnly(
      program.command('doctor').description('what is in order and what is not, each with its fix'),
    ),
  );
  withExamples(doctor, 'omni-dev doctor', 'omni-dev doctor -o json');
  doctor.addHelpText('after', '\nChanges nothing. Exits with 1 when anything is a problem.');
  runs(doctor, host, () => import('../commands/doctor.ts'));
}
