import type { CliContext } from '../context.ts';
import { accessOf, ensureDaemon, type SocketOptions } from '../daemon-access.ts';
import { listLines } from '../view/list-table.ts';
import { EMPTY_HINT } from '../watch/empty-hint.ts';
import { focusFrom } from '../watch/focus-from.ts';
import { runLiveTable } from '../watch/live-table.ts';
import { printSnapshots } from '../watch/snapshot-lines.ts';

interface StartOptions extends SocketOptions {
  demo?: boolean;
  speed: number;
}

/** `start`: a daemon and the live table, or plain lines where stdout is no terminal. */
export async function run(context: CliContext, options: StartOptions): Promise<number> {
  if (options.demo === true)
    return (await import('../demo/demo.ts')).runDemo(context, { speed: options.speed });
  const access = accessOf(context, options);
  await ensureDaemon(context, access);
  const { socket } = access.paths;
  if (context.stdout.isTTY === true)
    return runLiveTable(context, { socket, emptyHint: EMPTY_HINT, focus: focusFrom(context, access) });
  await printSnapshots(context, {
    socket,
    format: (payload) => `${listLines(payload, context.wall()).join('\n')}\n\n`,
  });
  return 0;
}
