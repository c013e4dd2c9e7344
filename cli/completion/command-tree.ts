import type { Command } from 'commander';

/** An option as completion needs it. */
export interface CompletedOption {
  long: string;
  short: string | undefined;
  description: string;
  /** True when a value follows. */
  takesValue: boolean;
  /** The values it can have, when they are few. */
  choices: readonly string[];
}

/** A command as completion needs it. */
export interface CompletedCommand {
  /** The words that lead to it: `omni-dev sessions list`. */
  path: string;
  name: string;
  description: string;
  options: CompletedOption[];
  /** Names and descriptions of the commands below. */
  commands: { name: string; description: string }[];
  /** True when its argument is the id of a session. */
  takesSession: boolean;
}

/** Every command that a person may type, the program first. */
export function commandTree(program: Command): CompletedCommand[] {
  return walk(program, '');
}

function walk(command: Command, above: string): CompletedCommand[] {
  const path = above === '' ? command.name() : `${above} ${command.name()}`;
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const own: CompletedCommand = {
    path,
    name: command.name(),
    description: command.description(),
    commands: below.map((child) => ({ name: child.name(), description: child.description() })),
    options: help.visibleOptions(command).flatMap((option) =>
      option.long == null
        ? []
        : {
            long: option.long,
            short: option.short ?? undefined,
            description: option.description,
            takesValue: option.required || option.optional,
            choices: option.argChoices ?? [],
          },
    ),
    takesSession: command.registeredArguments.some((argument) => argument.name() === 'id'),
  };
  return [own, ...below.flatMap((child) => walk(child, path))];
}
