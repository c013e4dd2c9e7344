import { resolvePaths } from '../../../contract/paths.ts';
import { type ServiceResult, uninstallService } from '../../../shims/service/install-service.ts';
import { serviceManager } from '../../../shims/service/manager-here.ts';
import type { CliContext } from '../../context.ts';
import type { ServiceCommandOptions } from './install.ts';
import { reportService } from './service-report.ts';

/** `daemon uninstall`: what `daemon install` wrote, and nothing else. */
export async function run(context: CliContext, options: ServiceCommandOptions): Promise<void> {
  const { around } = context;
  const paths = resolvePaths(around, options.socket);
  const dryRun = options.dryRun === true;
  const result = await uninstallService({ around, paths, manager: serviceManager(around), dryRun });
  await reportService(context, options, result, lines(result));
}

function lines({ manager, files, changed }: ServiceResult): string[] {
  if (files.length === 0) return [`nothing of omni-dev is in ${manager}`];
  return changed ? [`${manager} does not keep the daemon any more; commands and wrappers start it`] : [];
}
