import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../context.ts';

/** What a command definition needs of the program around it. */
export interface CommandHost {
  context: CliContext;
  finish(exitCode: number): void;
}

/** A command's own file: loaded when the command runs. */
export interface CommandModule<Options> {
  /** Resolves with the exit code; nothing means 0. Throws OmniDevError with a text for a person. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command without a code of its own returns nothing
  run(context: CliContext, options: Options, args: string[]): Promise<number | void>;
}

/** Binds a command to its file. */
export function runs<Options>(
  command: Command,
  host: CommandHost,
  load: () => Promise<CommandModule<Options>>,
): Command {
  return command.action(async () => {
    const module = await load();
    host.finish(
      (await module.run(host.context, command.optsWithGlobals<Options & object>(), command.args)) ?? 0,
    );
  });
}

/** `--socket`, which every command has. */
export function withSocketOnly(command: Command): Command {
  return command.option('--socket <path>', 'control socket of the daemon');
}

/** `--socket` and `--no-start`, for commands that start a daemon where none answers. */
export function withSocket(command: Command): Command {
  return withSocketOnly(command).option('--no-start', 'do not start a daemon where none answers');
}

/** `-o json` and its short form `--json`. */
export function withOutput(command: Command): Command {
  return command
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .option('--json', 'same as -o json');
}

/** Options of a command with {@link withOutput}. */
export interface OutputOptions {
  output: 'text' | 'json';
  json?: boolean;
}

/** True when JSON is wanted. */
export function wantsJson(options: OutputOptions): boolean {
  return options.json === true || options.output === 'json';
}

/** Examples at the end of a command's help. */
export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
}

/** Reads an option's value as a whole number. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  }
  return number;
}

/** Reads an option's value as a number above 0. */
export function positiveNumber(value: string): number {
  const number = Number(value);
  if (!(number > 0 && Number.isFinite(number)))
    throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
