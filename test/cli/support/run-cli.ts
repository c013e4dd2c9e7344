import { PassThrough } from 'node:stream';
import type { CliContext } from '../../../cli/context.ts';
import { runCli } from '../../../cli/main.ts';
import { PROGRAMS_DIR } from '../../support/programs.ts';

export interface CliResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface CliRun {
  env?: Record<string, string>;
  home?: string;
  wall?: () => number;
  /** Ends a command that goes on by itself. */
  readerGone?: AbortSignal;
  stdout?: PassThrough;
}

/** Runs one command in this process with streams and surroundings of its own. */
export async function runCommand(argv: readonly string[], run: CliRun = {}): Promise<CliResult> {
  const stdout = run.stdout ?? new PassThrough();
  const stderr = new PassThrough();
  const out = collect(stdout);
  const err = collect(stderr);
  const home = run.home ?? '/nonexistent-home';
  const context: CliContext = {
    around: {
      env: { HOME: home, OMNI_DEV_NO_AUTOSTART: '1', ...run.env },
      platform: process.platform,
      home,
      uid: process.getuid?.() ?? 0,
    },
    stdin: new PassThrough(),
    stdout,
    stderr,
    programsDir: PROGRAMS_DIR,
    wall: run.wall ?? Date.now,
    readerGone: run.readerGone ?? new AbortController().signal,
  };
  const exitCode = await runCli(argv, context);
  return { exitCode, stdout: out(), stderr: err() };
}

/** Collects what a stream gets, unless somebody else reads it. */
function collect(stream: PassThrough): () => string {
  const chunks: Buffer[] = [];
  if (stream.listenerCount('data') === 0) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
