import { existsSync } from 'node:fs';
import path from 'node:path';
import { resolvePaths } from '../../contract/paths.ts';
import { type CliContext, wantsColour } from '../context.ts';
import { printJson, printLines } from '../output.ts';
import { type OutputOptions, wantsJson } from '../program/command-host.ts';
import {
  checkWithCommand,
  checkWithOwnChild,
  type VerifyCheck,
  type VerifyTarget,
} from '../verify/checks.ts';
import { checkLines, footLines, headLines, type VerifyReport } from '../verify/report-lines.ts';
import { measure } from '../verify/timings.ts';
import { createPaint } from '../view/paint.ts';

interface VerifyOptions extends OutputOptions {
  shim?: string;
}

/**
 * `verify-wrapper [-- CMD…]`: runs things directly and through the wrapper and compares bytes, exit status and signals.
 * Exit 1 on any difference.
 */
export async function run(context: CliContext, options: VerifyOptions, command: string[]): Promise<number> {
  const target = targetOf(context, options);
  const own = [process.execPath, path.join(context.programsDir, 'omni-dev.cjs'), 'verify-child'];
  const paint = createPaint(wantsColour(context, context.stdout));
  const asText = !wantsJson(options);
  const checks: VerifyCheck[] = [];
  const take = async (check: VerifyCheck) => {
    checks.push(check);
    if (asText) await printLines(context, checkLines(check, paint));
  };
  const wrapper = target.wrapper.join(' ');
  if (asText) await printLines(context, headLines(wrapper));
  for await (const check of checkWithOwnChild(own, target)) await take(check);
  const theirs = command.length === 0 ? [] : await checkWithCommand(command, target);
  for (const check of theirs) await take(check);
  const same = checks.every((check) => check.same !== false);
  const report: VerifyReport = { wrapper, same, checks, timings: await measure([...own, 'echo'], target) };
  if (asText) await printLines(context, footLines(report));
  else await printJson(context, report);
  return same ? 0 : 1;
}

/** The installed shim where there is one, for that is what runs every day; else this build's own wrapper. */
function targetOf({ around, programsDir }: CliContext, { shim }: VerifyOptions): VerifyTarget {
  const installed = shim === undefined ? resolvePaths(around).wrapperShim : path.resolve(shim);
  const bundle = [process.execPath, path.join(programsDir, 'claude-wrap.cjs'), '--'];
  // Nothing here is an agent: no daemon has to be started for it.
  const env = { ...around.env, OMNI_DEV_NO_AUTOSTART: '1' };
  return { wrapper: shim !== undefined || existsSync(installed) ? [installed] : bundle, env };
}
