import { createInterface } from 'node:readline';
import type { CliContext } from './context.ts';
import { UsageError } from './usage-error.ts';

/**
 * Asks a person a question that is answered with yes or no; anything but a yes is a no, and so is the end of input.
 *
 * @throws UsageError when nobody is there to answer.
 */
export function agrees(context: CliContext, question: string): Promise<boolean> {
  const { stdin, stdout } = context;
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new UsageError('there is no terminal to ask on; say --yes to go ahead');
  }
  const lines = createInterface({ input: stdin, output: stdout });
  return new Promise((resolve) => {
    lines.on('close', () => resolve(false));
    lines.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      lines.close();
    });
  });
}
