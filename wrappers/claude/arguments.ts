/** What the command line of `claude-wrap` asks for. */
export type WrapArguments =
  | {
      kind: 'wrap';
      socket: string | undefined;
      command: [string, ...string[]];
      /** In a terminal: whether to stand between it and the command; undefined when the command line does not say. */
      pty: boolean | undefined;
      verbose: boolean;
    }
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string };

export const USAGE =
  'usage: omni-dev claude-wrap [--pty|--no-pty] [--verbose] [--socket PATH] -- COMMAND [ARGUMENT…]';

/**
 * Reads the arguments. Everything from `--` or from the first word that is no option on is the command, verbatim: it
 * is the agent's, and nothing of it is ever taken for ours.
 */
export function parseArguments(argv: readonly string[]): WrapArguments {
  let socket: string | undefined;
  let pty: boolean | undefined;
  let verbose = false;
  let at = 0;
  for (; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') {
      at += 1;
      break;
    }
    if (!word.startsWith('-')) break;
    if (word === '--help' || word === '-h') return { kind: 'help' };
    if (word === '--pty' || word === '--no-pty') pty = word === '--pty';
    else if (word === '--verbose') verbose = true;
    else if (word === '--socket') {
      at += 1;
      socket = argv[at];
      if (socket === undefined) return usageError('--socket needs a path');
    } else if (word.startsWith('--socket=')) {
      socket = word.slice('--socket='.length);
    } else {
      return usageError(`unknown option ${JSON.stringify(word)} before the command`);
    }
  }
  const [command, ...rest] = argv.slice(at);
  if (command === undefined)
    return usageError('claude-wrap needs a command to run, for example: omni-dev claude-wrap -- claude');
  return { kind: 'wrap', socket, command: [command, ...rest], pty, verbose };
}

/** True when Claude is started without stream-json input: it works off its one prompt by itself. */
export function isOneShot(command: readonly string[]): boolean {
  return !command.some(
    (word, at) =>
      word === '--input-format=stream-json' ||
      (word === '--input-format' && command[at + 1] === 'stream-json'),
  );
}

function usageError(message: string): WrapArguments {
  return { kind: 'usage-error', message };
}
