import { commandTree } from '../completion/command-tree.ts';
import { completionScript, type Shell } from '../completion/scripts.ts';
import type { CliContext } from '../context.ts';
import { writeAll } from '../output.ts';
import { createProgram } from '../program.ts';

/** `completion <shell>`: the script that completes our commands, options and session ids. */
export async function run(context: CliContext, _: unknown, [shell]: string[]): Promise<void> {
  await writeAll(
    context.stdout,
    completionScript(shell as Shell, commandTree(createProgram(context).command)),
  );
}
