import { resolvePaths } from '../../../contract/paths.ts';
import { installWrapper } from '../../../shims/editors/install-wrapper.ts';
import type { CliContext } from '../../context.ts';
import { reportWrapper, type WrapperCommandOptions, wrapperOptions } from './wrapper-options.ts';

/** `sessions install-wrapper`: the shim, and the setting of every editor that is here. */
export async function run(context: CliContext, options: WrapperCommandOptions): Promise<number> {
  const paths = resolvePaths(context.around);
  const result = await installWrapper({
    ...wrapperOptions(context, paths, options),
    builtIn: context.programsDir,
  });
  return reportWrapper(context, result);
}
