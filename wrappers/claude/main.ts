import { isatty } from 'node:tty';
import { currentSurroundings } from '../../contract/surroundings.ts';
import { wantsPty } from '../shared/pty-choice.ts';
import { say } from '../shared/spawn-failure.ts';
import { runInTerminal } from '../shared/terminal.ts';
import { parseArguments, USAGE } from './arguments.ts';
import { modeFor } from './mode.ts';
import { wrap } from './wrap.ts';

/**
 * `omni-dev claude-wrap`: runs a command, forwards its stdio untouched and reports what its stream says.
 *
 * @param argv the arguments after `claude-wrap`
 */
export async function run(argv: readonly string[]): Promise<void> {
  const parsed = parseArguments(argv);
  switch (parsed.kind) {
    case 'help':
      process.stdout.write(`${USAGE}\n`);
      return;
    case 'usage-error':
      say(`${parsed.message}\n${USAGE}`);
      process.exitCode = 2;
      return;
    case 'wrap':
      if (modeFor(isatty(1)).mode === 'wrap') return wrap({ ...parsed, programDir: programDir() });
      if (isatty(0) && wantsPty(parsed.pty, currentSurroundings().home)) {
        const { runOnPty } = await import('./pty/run-on-pty.ts');
        if (await runOnPty({ ...parsed, programDir: programDir() })) return;
      }
      runInTerminal(parsed.command);
  }
}

/** The folder of the built program; the sources have none, and start no daemon. */
function programDir(): string {
  return typeof __dirname === 'string' ? __dirname : '/nonexistent';
}

// The bundle is also loaded by the command line, which calls `run` itself.
if (typeof require === 'function' && typeof module === 'object' && require.main === module) {
  void run(process.argv.slice(2));
}
