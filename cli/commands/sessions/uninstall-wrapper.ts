import { resolvePaths } from '../../../contract/paths.ts';
import { uninstallWrapper } from '../../../shims/editors/install-wrapper.ts';
import type { CliContext } from '../../context.ts';
import { reportWrapper, type WrapperCommandOptions, wrapperOptions } from './wrapper-options.ts';

/** `sessions uninstall-wrapper`: takes the setting and the shim away again. */
export async function run(context: CliContext, options: WrapperCommandOptions): Promise<number> {
  const paths = resolvePaths(context.around);
  return reportWrapper(context, await uninstallWrapper(wrapperOptions(context, paths, options)));
}
