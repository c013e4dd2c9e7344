import { sessionsRequest } from '../../../contract/messages.ts';
import { commandPath } from '../../command-path.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, askDaemon, type SocketOptions } from '../../daemon-access.ts';
import { print, printJson, printLines } from '../../output.ts';
import { type OutputOptions, wantsJson } from '../../program/command-host.ts';
import type { Format } from '../../view/formats/names.ts';
import { listLines } from '../../view/list-table.ts';

export interface ListOptions extends SocketOptions, OutputOptions {
  format?: Format;
}

/** `sessions list`: the daemon's rows as a table, its payload as it came, or the text of another program's surface. */
export async function run(context: CliContext, options: ListOptions): Promise<void> {
  const payload = await askDaemon(context, accessOf(context, options), sessionsRequest('list'));
  if (options.format !== undefined) {
    const { formatSnapshot } = await import('../../view/formats/formats.ts');
    const around = { nowMs: context.wall(), command: commandPath(context) };
    await print(context, formatSnapshot(options.format, payload, around));
  } else if (wantsJson(options)) await printJson(context, payload ?? {});
  else await printLines(context, listLines(payload, context.wall()));
}
