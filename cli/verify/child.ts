import os from 'node:os';
import type { CliContext } from '../context.ts';
import { writeAll } from '../output.ts';
import { runOnTerminal } from './terminal-child.ts';
import { testBytes } from './test-bytes.ts';

/** How much is sent through the wrapper each way. */
export const VERIFY_BYTES = 8 * 1024 * 1024;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** The child of `verify-wrapper`: does one thing that can be compared from the outside. */
export async function run(
  context: CliContext,
  _: unknown,
  [mode = '', value = '']: string[],
): Promise<number> {
  if (mode.startsWith('terminal-')) return runOnTerminal(context, mode);
  switch (mode) {
    case 'output':
      await writeAll(context.stderr, 'a line of its own on stderr\n');
      await writeAll(context.stdout, testBytes(VERIFY_BYTES));
      return 0;
    case 'echo':
      await echo(context);
      return 0;
    case 'exit':
      return Number(value);
    case 'die':
      process.kill(process.pid, value as NodeJS.Signals);
      return new Promise(() => setTimeout(() => {}, 60_000));
    case 'signals':
      return untilSignal(context);
    default:
      await writeAll(context.stdout, JSON.stringify(surroundings()));
      return 0;
  }
}

function echo({ stdin, stdout }: CliContext): Promise<void> {
  return new Promise((resolve) => {
    stdin.pipe(stdout, { end: false });
    stdin.on('end', resolve);
  });
}

/** Exits with a code that says which signal came. */
function untilSignal(context: CliContext): Promise<number> {
  return new Promise((resolve) => {
    const stay = setTimeout(() => resolve(1), 60_000);
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        clearTimeout(stay);
        resolve(200 + os.constants.signals[signal]);
      });
    }
    void writeAll(context.stdout, 'ready\n');
  });
}

/** What every shell sets by itself; a shim is a shell script. */
const OF_THE_SHELL = ['_', 'PWD', 'OLDPWD', 'SHLVL'];

function surroundings(): unknown {
  const env = Object.entries(process.env).filter(([name]) => !OF_THE_SHELL.includes(name));
  return { argv: process.argv.slice(2), cwd: process.cwd(), env: env.sort(), umask: process.umask() };
}
