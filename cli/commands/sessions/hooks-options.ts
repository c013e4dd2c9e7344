import path from 'node:path';
import type { Paths } from '../../../contract/paths.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import type { AllHooksResult, HooksOptions } from '../../../shims/hooks/install-hooks.ts';
import type { CliContext } from '../../context.ts';
import { printLines, remark } from '../../output.ts';

export interface HooksCommandOptions {
  socket?: string;
  settings?: string;
  codexHome?: string;
  piAgentDir?: string;
}

/** What both hook commands are called with. Paths may be given relative to here, and are kept absolute. */
export function hooksOptions(
  { around }: CliContext,
  paths: Paths,
  options: HooksCommandOptions,
): HooksOptions {
  const { settings, codexHome, piAgentDir } = options;
  return {
    around,
    paths,
    ...(settings === undefined ? {} : { settings: path.resolve(settings) }),
    ...(codexHome === undefined ? {} : { codexHome: path.resolve(codexHome) }),
    ...(piAgentDir === undefined ? {} : { piAgentDir: path.resolve(piAgentDir) }),
  };
}

/** Prints what was done and, on stderr, what was refused: the command failed then, although the rest is done. */
export async function reportHooks(context: CliContext, result: AllHooksResult): Promise<number> {
  await printLines(context, result.messages.map(sanitize));
  for (const { message } of result.refused) await remark(context, `omni-dev: ${sanitize(message)}`);
  return result.refused.length === 0 ? 0 : 1;
}
