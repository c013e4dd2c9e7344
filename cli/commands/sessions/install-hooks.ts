import { resolvePaths } from '../../../contract/paths.ts';
import { installHooks } from '../../../shims/hooks/install-hooks.ts';
import type { CliContext } from '../../context.ts';
import { type HooksCommandOptions, hooksOptions, reportHooks } from './hooks-options.ts';

/** `sessions install-hooks`: the sink for Claude, and for Codex and pi where they are here. */
export async function run(context: CliContext, options: HooksCommandOptions): Promise<number> {
  const paths = resolvePaths(context.around, options.socket);
  const builtIn = context.programsDir;
  return reportHooks(context, await installHooks({ ...hooksOptions(context, paths, options), builtIn }));
}
