import { chooseProgram, type Program } from './program-choice.ts';

/** What every start-up bundle exports; it runs by itself only when it is the main module. */
interface StartUpBundle {
  run(argv: string[]): unknown;
}

/** What the command line's own module exports. */
interface CommandLine {
  main(argv: string[], programsDir: string): Promise<void>;
}

// A variable, so that the bundler leaves the module a file of its own, loaded only when it is needed.
const commandLine = './cli/main.mjs';
const { program, argv } = chooseProgram(process.argv.slice(2));

if (program === 'cli') {
  const module: Promise<CommandLine> = import(commandLine);
  module.then((loaded) => loaded.main(argv, __dirname)).catch(failed);
} else if (program === 'hook') {
  runHook();
} else {
  load(program).run(argv);
}

function load(name: Exclude<Program, 'cli'>): StartUpBundle {
  // Spelled out, because the bundler has to see each file's name to leave it a file of its own.
  switch (name) {
    case 'hook':
      return require('./hook.cjs');
    case 'claude-wrap':
      return require('./claude-wrap.cjs');
    case 'codex-wrap':
      return require('./codex-wrap.cjs');
    case 'daemon':
      return require('./daemon.cjs');
  }
}

/** An agent takes a hook's failure for an answer: whatever is broken here, the sink says nothing and exits 0. */
function runHook(): void {
  try {
    load('hook').run(argv);
  } catch {
    process.exitCode = 0;
  }
}

function failed(error: unknown): void {
  process.exitCode = 1;
  process.stderr.write(`omni-dev: ${error instanceof Error ? error.message : String(error)}\n`);
}
