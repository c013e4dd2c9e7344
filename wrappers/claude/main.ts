import { isatty } from 'node:tty';
import { parseArguments, USAGE } from './arguments.ts';
import { modeFor } from './mode.ts';
import { say } from './spawn-failure.ts';
import { runInTerminal } from './terminal.ts';
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
      if (parsed.pty && isatty(0)) {
        const { runOnPty } = await import('./pty/session.ts');
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
