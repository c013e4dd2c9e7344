import { sessionsRequest } from '../../contract/messages.ts';
import type { CliContext } from '../context.ts';
import { accessOf, askDaemon, type SocketOptions } from '../daemon-access.ts';
import { printLines } from '../output.ts';
import { toRows } from '../view/row.ts';

/** What a shell takes as one plain word. */
const PLAIN_ID = /^[A-Za-z0-9._-]+$/;

/** `session-ids`: one id per line, for completion. Starts nothing. */
export async function run(context: CliContext, options: SocketOptions): Promise<void> {
  const access = { ...accessOf(context, options), mayStart: false };
  const payload = await askDaemon(context, access, sessionsRequest('list'));
  await printLines(
    context,
    toRows(payload)
      .map(({ id }) => id)
      .filter((id) => PLAIN_ID.test(id)),
  );
}
