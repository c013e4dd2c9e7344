import { CommanderError } from 'commander';
import { sanitize } from '../contract/sanitize.ts';
import { currentSurroundings } from '../contract/surroundings.ts';
import type { CliContext } from './context.ts';
import { isReaderGone, remark } from './output.ts';
import { createProgram } from './program.ts';
import { UsageError } from './usage-error.ts';

/** Exit codes of every command; 128 + n stands for signal n. */
export const EXIT_OK = 0;
export const EXIT_FAILURE = 1;
export const EXIT_USAGE = 2;

/**
 * The program `omni-dev`. Sets the exit code and returns, so that everything written is read before the process ends.
 *
 * @param argv the arguments after the program's name
 * @param programsDir folder of the start-up bundles
 */
export async function main(argv: string[], programsDir: string): Promise<void> {
  const reader = new AbortController();
  let lostOutput = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      // A full disk, say. Whoever waits for the write is told by it too.
      if (!isReaderGone(error)) lostOutput = true;
      reader.abort();
    });
  }
  const exitCode = await runCli(argv, {
    around: currentSurroundings(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    programsDir,
    wall: Date.now,
    readerGone: reader.signal,
  });
  process.exitCode = lostOutput && exitCode === EXIT_OK ? EXIT_FAILURE : exitCode;
}

/** Runs one command and resolves with its exit code. Failures are one line on stderr, never a throw. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  const program = createProgram(context);
  try {
    if (argv.length === 0) program.command.outputHelp();
    else await program.command.parseAsync(argv, { from: 'user' });
    return program.exitCode();
  } catch (error) {
    // Commander has printed its own text already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    // Where stderr is lost too, the exit code tells.
    await remark(context, `omni-dev: ${messageOf(error, context)}`).catch(() => {});
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILURE;
  }
}

/** The error's own text; what follows its first line (the end of a log, say) keeps its lines. */
function messageOf(error: unknown, context: CliContext): string {
  if (!(error instanceof Error)) return sanitize(String(error));
  if (context.around.env.OMNI_DEV_DEBUG === '1') return error.stack ?? error.message;
  return error.message
    .split(/[\r\n]+/)
    .map(sanitize)
    .join('\n');
}
