import type { Request } from '../../../contract/messages.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, askDaemon, type SocketOptions } from '../../daemon-access.ts';
import { printJson } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';

/** `daemon service SERVICE OP`: the operation as it is, and the payload of the reply. */
export async function run(
  context: CliContext,
  options: SocketOptions & { payload?: string },
  [service = '', op = '']: string[],
): Promise<void> {
  const request: Request = { service, op };
  if (options.payload !== undefined) request.payload = parsePayload(options.payload);
  const access = { ...accessOf(context, options), mayStart: false };
  await printJson(context, (await askDaemon(context, access, request)) ?? null);
}

function parsePayload(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--payload is not JSON');
  }
}
