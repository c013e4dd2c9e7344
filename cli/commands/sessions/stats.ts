import { OmniDevError } from '../../../contract/errors.ts';
import { sessionsRequest } from '../../../contract/messages.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, askDaemon, type SocketOptions } from '../../daemon-access.ts';
import { printJson, printLines } from '../../output.ts';
import { type OutputOptions, wantsJson } from '../../program/command-host.ts';
import { asWaitingTime, statsLines } from '../../view/stats-lines.ts';

/** `sessions stats`: how long each session and repository stood waiting for a person today. */
export async function run(context: CliContext, options: SocketOptions & OutputOptions): Promise<void> {
  const payload = await askDaemon(context, accessOf(context, options), sessionsRequest('stats'));
  if (wantsJson(options)) return printJson(context, payload ?? {});
  const stats = asWaitingTime(payload);
  if (stats === undefined)
    throw new OmniDevError('DAEMON_BAD_REPLY', "the daemon's answer holds no statistics");
  await printLines(context, statsLines(stats));
}
