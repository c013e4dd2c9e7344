import { resolvePaths } from '../../../contract/paths.ts';
import { uninstallHooks } from '../../../shims/hooks/install-hooks.ts';
import type { CliContext } from '../../context.ts';
import { type HooksCommandOptions, hooksOptions, reportHooks } from './hooks-options.ts';

/** `sessions uninstall-hooks`: takes the sink out of every agent again. */
export async function run(context: CliContext, options: HooksCommandOptions): Promise<number> {
  const paths = resolvePaths(context.around, options.socket);
  return reportHooks(context, await uninstallHooks(hooksOptions(context, paths, options)));
}
