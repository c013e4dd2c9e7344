import { OmniDevError } from '../../../contract/errors.ts';
import type { Paths } from '../../../contract/paths.ts';
import { IMPLEMENTATION } from '../../../contract/version.ts';
import { startDaemon, stopDaemon, waitUntilGone } from '../../../daemon-lite/service/control.ts';
import { daemonStatus } from '../../../daemon-lite/service/status.ts';
import { installService, type ServiceResult } from '../../../shims/service/install-service.ts';
import { serviceManager } from '../../../shims/service/manager-here.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { controlOptions } from '../../daemon-start.ts';
import type { OutputOptions } from '../../program/command-host.ts';
import { reportService } from './service-report.ts';

export type ServiceCommandOptions = SocketOptions & OutputOptions & { dryRun?: boolean };

/** `daemon install`: the service manager's definition of the daemon, and the daemon started by it. */
export async function run(context: CliContext, options: ServiceCommandOptions): Promise<void> {
  const { around, programsDir } = context;
  const { paths } = accessOf(context, options);
  const dryRun = options.dryRun === true;
  const manager = serviceManager(around);
  const makeWay = () => stopOwn(paths);
  const result = await installService({ around, paths, manager, dryRun, builtIn: programsDir, makeWay });
  const started = result.armed ? [(await startDaemon(await controlOptions(context, paths))).message] : [];
  await reportService(context, options, result, [...lines(result), ...started]);
}

/**
 * The manager takes the socket from whoever has it: a daemon of ours stops first, and one of the older system is not ours
 * to stop.
 */
async function stopOwn(paths: Paths): Promise<void> {
  const status = await daemonStatus(paths.socket);
  if (!status.running) return;
  if (status.implementation !== IMPLEMENTATION) {
    throw new OmniDevError(
      'DAEMON_FOREIGN',
      `another omni-dev serves the socket ${paths.socket}. Stop it, then run: omni-dev daemon install`,
    );
  }
  await stopDaemon({ paths });
  await waitUntilGone(paths.socket);
}

function lines({ manager, armed, changed }: ServiceResult): string[] {
  if (!armed) return [];
  if (!changed) return [`${manager} keeps the daemon already`];
  return [`${manager} keeps the daemon from now on`];
}
