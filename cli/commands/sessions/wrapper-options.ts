import path from 'node:path';
import type { Paths } from '../../../contract/paths.ts';
import { sanitize } from '../../../contract/sanitize.ts';
import type { WrapperOptions, WrapperResult } from '../../../shims/editors/install-wrapper.ts';
import type { CliContext } from '../../context.ts';
import { printLines, remark } from '../../output.ts';

export interface WrapperCommandOptions {
  settings?: string;
  shim?: string;
}

/** What both wrapper commands are called with. Paths may be given relative to here, and are kept absolute. */
export function wrapperOptions(
  { around }: CliContext,
  paths: Paths,
  { settings, shim }: WrapperCommandOptions,
): WrapperOptions {
  return {
    around,
    paths,
    ...(settings === undefined ? {} : { settings: path.resolve(settings) }),
    ...(shim === undefined ? {} : { shim: path.resolve(shim) }),
  };
}

/** Prints what was done. A file that could not be edited makes the command fail, although the others are done. */
export async function reportWrapper(context: CliContext, result: WrapperResult): Promise<number> {
  await printLines(context, result.messages.map(sanitize));
  for (const refused of result.refused) await remark(context, sanitize(`omni-dev: ${refused.message}`));
  return result.refused.length === 0 ? 0 : 1;
}
