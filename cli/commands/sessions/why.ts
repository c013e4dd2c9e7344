import { OmniDevError } from '../../../contract/errors.ts';
import { sessionsRequest } from '../../../contract/messages.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, askDaemon, type SocketOptions } from '../../daemon-access.ts';
import { printJson, printLines } from '../../output.ts';
import { type OutputOptions, wantsJson } from '../../program/command-host.ts';
import { asWhy, whyLines } from '../../view/why-lines.ts';

/** `sessions why <id|prefix>`: the layers of one session, and which of them decides. */
export async function run(
  context: CliContext,
  options: SocketOptions & OutputOptions,
  [id = '']: string[],
): Promise<void> {
  const payload = await askDaemon(context, accessOf(context, options), sessionsRequest('why', { id }));
  if (wantsJson(options)) return printJson(context, payload ?? {});
  const why = asWhy(payload);
  if (why === undefined) throw new OmniDevError('DAEMON_BAD_REPLY', "the daemon's answer holds no layers");
  await printLines(context, whyLines(why));
}
