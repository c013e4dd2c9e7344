import { VERIFY_BYTES } from './child.ts';
import { type RunOptions, type RunOutcome, runProgram } from './run-program.ts';
import { testBytes } from './test-bytes.ts';

/** The two ways a command is run. */
export interface VerifyTarget {
  /** In front of the command: the installed shim, or this build's own wrapper. */
  wrapper: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** One line of the table. */
export interface VerifyCheck {
  name: string;
  direct: string;
  wrapped: string;
  /** False when the wrapper changed something; undefined when the command itself is never the same twice. */
  same: boolean | undefined;
}

/** Runs a command directly and wrapped, and compares what `show` makes of the outcomes. */
async function compare(
  name: string,
  command: readonly string[],
  target: VerifyTarget,
  show: (outcome: RunOutcome) => string,
  options: Omit<RunOptions, 'env'> = {},
): Promise<VerifyCheck> {
  const run = { ...options, env: target.env };
  const direct = show(await runProgram(command, run));
  const wrapped = show(await runProgram([...target.wrapper, ...command], run));
  return compareOutcomes(name, direct, wrapped);
}

/** One check of two runs that should have shown the same. */
export function compareOutcomes(name: string, direct: string, wrapped: string): VerifyCheck {
  return { name, direct, wrapped, same: direct === wrapped };
}

const bytesOf = ({ stdout }: RunOutcome) => `${stdout.bytes} bytes, SHA-256 ${stdout.sha256.slice(0, 16)}`;
const errorBytesOf = ({ stderr }: RunOutcome) =>
  `${stderr.bytes} bytes, SHA-256 ${stderr.sha256.slice(0, 16)}`;
export const statusOf = ({ status }: RunOutcome) => (typeof status === 'number' ? `exit ${status}` : status);

/** Everything that can be compared with our own child, whose every run is the same, as it is found out. */
export async function* checkWithOwnChild(
  own: readonly string[],
  target: VerifyTarget,
): AsyncGenerator<VerifyCheck> {
  const child = (...words: string[]) => [...own, ...words];
  yield compare('output bytes', child('output'), target, bytesOf);
  yield compare('error output', child('output'), target, errorBytesOf);
  yield compare('input bytes', child('echo'), target, bytesOf, { input: testBytes(VERIFY_BYTES) });
  yield compare('end of input', child('echo'), target, statusOf);
  for (const code of ['0', '7', '255']) {
    yield compare(`exit status ${code}`, child('exit', code), target, statusOf);
  }
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    yield compare(`killed by ${signal}`, child('die', signal), target, statusOf);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    yield compare(`${signal} passed on`, child('signals'), target, statusOf, { signal });
  }
  yield compare('argv, env, folder', child('surroundings', 'a b', '*', ''), target, bytesOf);
}

const WITH_COMMAND: readonly [name: string, show: (outcome: RunOutcome) => string][] = [
  ['output bytes', bytesOf],
  ['error output', errorBytesOf],
  ['exit status', statusOf],
];

/**
 * What can be compared with a command of the user's: its output, when two direct runs give the same, and its exit status.
 */
export async function checkWithCommand(
  command: readonly string[],
  target: VerifyTarget,
): Promise<VerifyCheck[]> {
  const run = { env: target.env };
  const first = await runProgram(command, run);
  const second = await runProgram(command, run);
  const wrapped = await runProgram([...target.wrapper, ...command], run);
  return WITH_COMMAND.map(([name, show]) => {
    const repeats = show(first) === show(second);
    const same = repeats ? show(first) === show(wrapped) : undefined;
    return { name: `your command: ${name}`, direct: show(first), wrapped: show(wrapped), same };
  });
}
