import { Command } from 'commander';
import { COMMIT, VERSION } from '../contract/version.ts';
import type { CliContext } from './context.ts';
import type { CommandHost } from './program/command-host.ts';
import { addDaemonCommands } from './program/daemon.ts';
import { addDoctorCommand, addSelftestCommand, addVerifyCommands } from './program/doctor.ts';
import { addSessionsCommands } from './program/sessions.ts';
import { addSetupCommands } from './program/setup.ts';
import { addDemoAgentCommand, addStartCommand } from './program/start.ts';
import { addToolCommands } from './program/tools.ts';

export interface Program {
  command: Command;
  /** What the command that ran decided; 0 before. */
  exitCode(): number;
}

/** Builds the tree of commands. The code of a command is loaded when it runs, not here. */
export function createProgram(context: CliContext): Program {
  let exitCode = 0;
  const command = new Command('omni-dev');
  const host: CommandHost = {
    context,
    finish: (code) => {
      exitCode = code;
    },
  };
  command
    .description('Knows every coding-agent session on this machine and exactly what each one is doing.')
    .version(COMMIT === '' ? VERSION : `${VERSION} (${COMMIT})`)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) =>
        write(
          `${text
            .replace(/^error: /, 'omni-dev: ')
            .trim()
            .replace(/\n+/g, ' ')}\n`,
        ),
      getOutHelpWidth: () => context.stdout.columns ?? 80,
      getErrHelpWidth: () => context.stderr.columns ?? 80,
    });
  addStartCommand(command, host);
  addSetupCommands(command, host);
  addSessionsCommands(command, host);
  addDaemonCommands(command, host);
  addDoctorCommand(command, host);
  addVerifyCommands(command, host);
  addSelftestCommand(command, host);
  addToolCommands(command, host);
  addDemoAgentCommand(command, host);
  return { command, exitCode: () => exitCode };
}
