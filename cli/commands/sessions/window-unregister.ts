import { sessionsRequest } from '../../../contract/messages.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, askDaemon, type SocketOptions } from '../../daemon-access.ts';
import { print } from '../../output.ts';

/** `sessions window-unregister`: takes a window's report back and says whether there was one. */
export async function run(context: CliContext, options: SocketOptions & { key: string }): Promise<void> {
  const request = sessionsRequest('window-unregister', { key: options.key });
  const payload = await askDaemon(context, accessOf(context, options), request);
  const removed =
    typeof payload === 'object' && payload !== null && 'removed' in payload && payload.removed === true;
  await print(context, `removed: ${removed}`);
}
