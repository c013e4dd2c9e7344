import type { PtyProcess } from '../../wrappers/pty/pty-process.ts';
import type { VerifyTarget } from './checks.ts';
import type { TerminalRunner } from './run-on-terminal.ts';
import { timing, type VerifyTiming } from './timings.ts';

const KEYS = 400;

/** Measures what the wrapper adds to each key, from its press until the program's echo of it is on the terminal. */
export async function measureOnTerminal(
  echo: readonly string[],
  { wrapper, env }: VerifyTarget,
  runner: TerminalRunner,
): Promise<VerifyTiming[]> {
  const direct = runner.start(echo, env);
  const wrapped = runner.start([...wrapper, ...echo], env);
  const [directTimes, wrappedTimes]: [number[], number[]] = [[], []];
  try {
    await Promise.all([answer(direct), answer(wrapped)]);
    // By turns, so that what else the machine does falls on both.
    for (let key = 0; key < KEYS; key += 1) {
      directTimes.push(await press(direct));
      wrappedTimes.push(await press(wrapped));
    }
  } finally {
    for (const program of [direct, wrapped]) {
      program.kill('SIGTERM');
      await program.exited;
      program.takeRest();
      program.stream.destroy();
    }
  }
  return [
    timing('key to echo, p50', 0.5, directTimes, wrappedTimes),
    timing('key to echo, p99', 0.99, directTimes, wrappedTimes),
  ];
}

function answer(program: PtyProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    program.stream.once('data', resolve);
    void program.exited.then(() => reject(new Error('the child ended before it answered')));
  });
}

async function press(program: PtyProcess): Promise<number> {
  const answered = answer(program);
  const begin = performance.now();
  program.stream.write('k');
  await answered;
  return performance.now() - begin;
}
