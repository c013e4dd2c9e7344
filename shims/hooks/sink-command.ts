import path from 'node:path';
import type { Agent } from '../../contract/events.ts';
import { quoteWhereNeeded } from '../install/shell-quote.ts';
import { type ShellPiece, shellPieces } from './shell-words.ts';

/** An agent whose hooks run the sink. */
export type HookAgent = Extract<Agent, 'claude' | 'codex'>;

/** A hook command that runs a sink of omni-dev. */
export interface SinkCommand {
  /** Path or name of the program. */
  program: string;
  /** What stands behind `sessions hook`. */
  args: string[];
  /** True when the sink is not the whole command: variables or a program before it, redirections, other commands. */
  isWrapped: boolean;
}

const PROGRAM_NAME = 'omni-dev';

/**
 * The command that is installed: the shim's path, quoted only where it needs quotes, so that it reads the same as the
 * contract's wherever it can.
 */
export function canonicalCommand(commandShim: string, agent: HookAgent): string {
  const command = `${quoteWhereNeeded(commandShim)} sessions hook`;
  return agent === 'claude' ? command : `${command} --agent ${agent}`;
}

/**
 * Recognises `omni-dev sessions hook` in a hook entry, whatever path the program has and however it is quoted, or returns
 * undefined. `my-omni-dev`, `sessions hooks` and other subcommands are not ours.
 *
 * @param args the words of the exec form, which runs without a shell.
 */
export function readSinkCommand(command: string, args?: readonly string[]): SinkCommand | undefined {
  const pieces = args === undefined ? shellPieces(command) : [command, ...args].map(asWord);
  const at = pieces.findIndex((_, start) => isSink(pieces, start));
  if (at === -1) return undefined;
  const rest = pieces.slice(at + 3);
  const isWrapped = at > 0 || rest.some((piece) => piece.isOperator);
  return { program: pieces[at]?.text ?? '', args: rest.map((piece) => piece.text), isWrapped };
}

/** True for a sink nobody adapted: alone, and without arguments or with its agent's name only. */
export function isUncustomised({ args, isWrapped }: SinkCommand, agent: HookAgent): boolean {
  if (isWrapped) return false;
  const words = args.join(' ');
  return words === '' || words === `--agent ${agent}` || words === `--agent=${agent}`;
}

/** True when two commands run the same program with the same words, whatever their quotes. */
export function isSameCommand(one: string, other: string): boolean {
  return one === other || JSON.stringify(shellPieces(one)) === JSON.stringify(shellPieces(other));
}

function isSink(pieces: readonly ShellPiece[], start: number): boolean {
  const [program, service, op] = pieces.slice(start, start + 3);
  if (program === undefined || program.isOperator || path.posix.basename(program.text) !== PROGRAM_NAME)
    return false;
  return isWord(service, 'sessions') && isWord(op, 'hook');
}

function isWord(piece: ShellPiece | undefined, text: string): boolean {
  return piece !== undefined && !piece.isOperator && piece.text === text;
}

function asWord(text: string): ShellPiece {
  return { text, isOperator: false };
}
