import { sessionsRequest, type WindowPayload } from '../../../contract/messages.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, askDaemon, type SocketOptions } from '../../daemon-access.ts';
import { print } from '../../output.ts';

interface WindowOptions extends SocketOptions {
  key: string;
  folder: string[];
  tabs: number;
  terminals: number;
}

/** `sessions window`: reports a window as an editor's companion does. */
export async function run(context: CliContext, options: WindowOptions): Promise<void> {
  const { key, folder: folders, tabs, terminals } = options;
  const payload: WindowPayload = { key, folders, tabs, terminals };
  await askDaemon(context, accessOf(context, options), sessionsRequest('window', payload));
  await print(context, `Reported window ${sanitize(key)}`);
}
