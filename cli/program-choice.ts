/** A program of the package: one of the start-up bundles, or the command line itself. */
export type Program = 'hook' | 'claude-wrap' | 'codex-wrap' | 'daemon' | 'cli';

export interface ProgramChoice {
  program: Program;
  /** What the program gets: its own arguments, without the words that chose it. */
  argv: string[];
}

const HELP = new Set(['--help', '-h']);

/**
 * Picks the program by the first words alone, so that a hook or a wrapper loads nothing but its own file. A request for
 * help always goes to the command line, which knows every text.
 */
export function chooseProgram(argv: readonly string[]): ProgramChoice {
  const [first, second] = argv;
  if (first === 'sessions' && second === 'hook') return startUp('hook', argv, 2);
  if (first === 'claude-wrap' || first === 'codex-wrap') return startUp(first, argv, 1);
  if (first === 'daemon' && second === 'run') return startUp('daemon', argv, 2);
  return { program: 'cli', argv: [...argv] };
}

function startUp(program: Program, argv: readonly string[], words: number): ProgramChoice {
  const own = argv.slice(words);
  const [next] = own;
  if (next !== undefined && HELP.has(next)) return { program: 'cli', argv: [...argv] };
  return { program, argv: own };
}
