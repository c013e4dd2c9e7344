import { commandPath } from '../../command-path.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, ensureDaemon } from '../../daemon-access.ts';
import { wantsJson } from '../../program/command-host.ts';
import { EMPTY_HINT } from '../../watch/empty-hint.ts';
import { focusFrom } from '../../watch/focus-from.ts';
import { runLiveTable } from '../../watch/live-table.ts';
import { printSnapshots } from '../../watch/snapshot-lines.ts';
import type { ListOptions } from './list.ts';

/** `sessions watch`: a live table in a terminal, else one line of JSON per snapshot, or another surface's text. */
export async function run(context: CliContext, options: ListOptions): Promise<number> {
  const access = accessOf(context, options);
  await ensureDaemon(context, access);
  const { socket } = access.paths;
  const { format } = options;
  if (format !== undefined) {
    const { formatSnapshot } = await import('../../view/formats/formats.ts');
    const command = commandPath(context);
    const text = (payload: unknown) => formatSnapshot(format, payload, { nowMs: context.wall(), command });
    await printSnapshots(context, { socket, format: (payload) => `${text(payload)}\n` });
  } else if (context.stdout.isTTY === true && !wantsJson(options)) {
    return runLiveTable(context, { socket, emptyHint: EMPTY_HINT, focus: focusFrom(context, access) });
  } else await printSnapshots(context, { socket, format: (payload) => `${JSON.stringify(payload)}\n` });
  return 0;
}
