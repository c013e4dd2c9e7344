import path from 'node:path';

/** What the user asked for: `codex-wrap [--pty] [--socket P] [--] CMD ARGS...`. */
export interface Invocation {
  /** Socket of the daemon, when it is not the default one. */
  socket: string | undefined;
  /** In a terminal: whether to stand between it and the interface; undefined when the command line does not say. */
  pty: boolean | undefined;
  verbose: boolean;
  command: string;
  args: string[];
}

/** How an invocation of codex is served. */
export type Decision =
  /** Its own server, its own terminal interface on it. `mayBeCommand`: an unknown first word may be a new subcommand. */
  | { kind: 'wrap'; mayBeCommand: boolean }
  /** Straight to codex, for a reason that is not shown to anybody but helps in tests. */
  | { kind: 'pass'; reason: string };

export const USAGE =
  'usage: omni-dev codex-wrap [--pty|--no-pty] [--verbose] [--socket PATH] [--] codex [ARGS...]';

/** Reads the wrapper's own arguments; from the first word that is not ours everything is codex's. */
export function parseInvocation(argv: readonly string[]): Invocation | { usage: string } | 'help' {
  let socket: string | undefined;
  let pty: boolean | undefined;
  let verbose = false;
  let at = 0;
  for (; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--socket' && argv[at + 1] !== undefined) socket = argv[++at];
    else if (word.startsWith('--socket=')) socket = word.slice('--socket='.length);
    else if (word === '--pty' || word === '--no-pty') pty = word === '--pty';
    else if (word === '--verbose') verbose = true;
    else if (word === '--help' || word === '-h') return 'help';
    else break;
  }
  if (argv[at] === '--') at += 1;
  const [command, ...args] = argv.slice(at);
  if (command === undefined || command === '') {
    return { usage: `codex-wrap needs a command to run\n${USAGE}` };
  }
  if (command.startsWith('-')) return { usage: `unknown option ${command}\n${USAGE}` };
  return { socket, pty, verbose, command, args };
}

/** Subcommands that run in a terminal interface on a server. */
const REMOTE_SUBCOMMANDS = new Set(['resume', 'fork', 'agents']);

/** Subcommands that do something else, short names included. They are not ours to change. */
const OTHER_SUBCOMMANDS = new Set([
  'exec',
  'e',
  'review',
  'login',
  'logout',
  'mcp',
  'mcp-server',
  'plugin',
  'app-server',
  'remote-control',
  'app',
  'completion',
  'update',
  'doctor',
  'sandbox',
  'debug',
  'execpolicy',
  'apply',
  'a',
  'queue',
  'archive',
  'delete',
  'unarchive',
  'migrate-rollouts',
  'migrate-nfs-db',
  'cloud',
  'responses-api-proxy',
  'stdio-to-uds',
  'exec-server',
  'features',
  'help',
]);

/** Flags with which no terminal interface on a server starts: refused there, or the user's own server, or no session. */
const PASSING_FLAGS = new Set([
  '--add-dir',
  '--worktree',
  '--no-daemon',
  '--remote',
  '--remote-auth-token-env',
  '--help',
  '-h',
  '--version',
  '-V',
]);

/** Options that take the next word as their value. `-i` takes every word up to the next option. */
const VALUE_OPTIONS = new Set([
  '-c',
  '--config',
  '--enable',
  '--disable',
  '-m',
  '--model',
  '--local-provider',
  '-p',
  '--profile',
  '-s',
  '--sandbox',
  '-C',
  '--cd',
  '-a',
  '--ask-for-approval',
]);
const LIST_OPTIONS = new Set(['-i', '--image']);

interface Words {
  /** The first word that is neither an option nor an option's value. */
  first: string | undefined;
  /** It stood behind `--`, so it is a prompt. */
  firstIsPrompt: boolean;
  passingFlag: string | undefined;
}

function readWords(args: readonly string[]): Words {
  const words: Words = { first: undefined, firstIsPrompt: false, passingFlag: undefined };
  let inList = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '--') {
      words.firstIsPrompt = words.first === undefined;
      words.first ??= args[at + 1];
      break;
    }
    const isOption = word.startsWith('-') && word !== '-';
    if (isOption) {
      const name = word.split('=')[0] ?? word;
      if (PASSING_FLAGS.has(name)) words.passingFlag ??= name;
      inList = LIST_OPTIONS.has(word);
      if (VALUE_OPTIONS.has(word)) at += 1;
    } else if (!inList) {
      words.first ??= word;
    }
  }
  return words;
}

/**
 * Decides whether this invocation gets a server of its own. When in doubt it does not: then codex runs as it would
 * without us.
 *
 * @param terminal whether standard input and output are both a terminal.
 */
export function decide({ command, args }: Pick<Invocation, 'command' | 'args'>, terminal: boolean): Decision {
  if (!path.basename(command).startsWith('codex')) return { kind: 'pass', reason: 'not codex' };
  if (!terminal) return { kind: 'pass', reason: 'no terminal' };
  const { first, firstIsPrompt, passingFlag } = readWords(args);
  if (passingFlag !== undefined) return { kind: 'pass', reason: passingFlag };
  if (first === undefined || firstIsPrompt) return { kind: 'wrap', mayBeCommand: false };
  if (OTHER_SUBCOMMANDS.has(first)) return { kind: 'pass', reason: first };
  return { kind: 'wrap', mayBeCommand: !REMOTE_SUBCOMMANDS.has(first) };
}
