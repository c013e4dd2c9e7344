import { sanitize } from '../../../contract/sanitize.ts';
import type { DaemonKeeper } from '../../../daemon-lite/service/keeper.ts';
import { daemonStatus, statusLines, versionSkew } from '../../../daemon-lite/service/status.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { keeperOf } from '../../daemon-keeper.ts';
import { printJson, printLines, remark } from '../../output.ts';
import { type OutputOptions, wantsJson } from '../../program/command-host.ts';

/** `daemon status`: exit 0 whether or not one runs. */
export async function run(context: CliContext, options: SocketOptions & OutputOptions): Promise<void> {
  if (options.json === true) await remark(context, 'warning: --json is deprecated here, use -o json');
  const { paths } = accessOf(context, options);
  const keeper = await keeperOf(context, paths);
  const standing = await keeper?.standing();
  // A connection to an armed socket would start what is only asked about.
  const status = standing === 'armed' ? ({ running: false } as const) : await daemonStatus(paths.socket);
  const skew = versionSkew(status);
  if (skew !== undefined) await remark(context, sanitize(skew));
  const service = keeper === undefined ? undefined : { manager: keeper.name, standing };
  if (wantsJson(options))
    return printJson(context, { ...status, service_manager: service, version_skew: skew });
  await printLines(context, [...statusLines(status), ...keeperLines(keeper, standing)].map(sanitize));
}

const SAYS = {
  running: 'keeps it',
  armed: 'starts it at the next connection',
  off: 'is installed to keep it, but stopped: omni-dev daemon start',
} as const;

type Standing = Awaited<ReturnType<DaemonKeeper['standing']>>;

function keeperLines(keeper: DaemonKeeper | undefined, standing: Standing | undefined): string[] {
  if (keeper === undefined || standing === undefined) return [];
  return [`  (${keeper.name} ${SAYS[standing]})`];
}
