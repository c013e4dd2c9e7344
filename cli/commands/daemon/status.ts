import { sanitize } from '../../../contract/sanitize.ts';
import { daemonStatus, statusLines, versionSkew } from '../../../daemon-lite/service/status.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { printJson, printLines, remark } from '../../output.ts';
import { type OutputOptions, wantsJson } from '../../program/command-host.ts';

/** `daemon status`: exit 0 whether or not one runs. */
export async function run(context: CliContext, options: SocketOptions & OutputOptions): Promise<void> {
  if (options.json === true) await remark(context, 'warning: --json is deprecated here, use -o json');
  const status = await daemonStatus(accessOf(context, options).paths.socket);
  const skew = versionSkew(status);
  if (skew !== undefined) await remark(context, sanitize(skew));
  if (wantsJson(options)) await printJson(context, status);
  else await printLines(context, statusLines(status).map(sanitize));
}
