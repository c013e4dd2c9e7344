import type { CliContext } from '../../context.ts';
import { accessOf, ensureDaemon, type SocketOptions } from '../../daemon-access.ts';
import { type OutputOptions, wantsJson } from '../../program/command-host.ts';
import { EMPTY_HINT } from '../../watch/empty-hint.ts';
import { runLiveTable } from '../../watch/live-table.ts';
import { printSnapshots } from '../../watch/snapshot-lines.ts';

/** `sessions watch`: a live table in a terminal, else one line of JSON per snapshot. */
export async function run(context: CliContext, options: SocketOptions & OutputOptions): Promise<number> {
  const access = accessOf(context, options);
  await ensureDaemon(context, access);
  const { socket } = access.paths;
  if (context.stdout.isTTY === true && !wantsJson(options)) {
    return runLiveTable(context, { socket, emptyHint: EMPTY_HINT });
  }
  await printSnapshots(context, { socket, format: (payload) => `${JSON.stringify(payload)}\n` });
  return 0;
}
