import { sessionsRequest } from '../../../contract/messages.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, askDaemon, type SocketOptions } from '../../daemon-access.ts';
import { printJson, printLines } from '../../output.ts';
import { type OutputOptions, wantsJson } from '../../program/command-host.ts';
import { listLines } from '../../view/list-table.ts';

/** `sessions list`: the daemon's rows as a table, or its payload as it came. */
export async function run(context: CliContext, options: SocketOptions & OutputOptions): Promise<void> {
  const payload = await askDaemon(context, accessOf(context, options), sessionsRequest('list'));
  if (wantsJson(options)) await printJson(context, payload ?? {});
  else await printLines(context, listLines(payload, context.wall()));
}
