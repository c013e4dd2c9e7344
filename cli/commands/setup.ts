import { resolvePaths } from '../../contract/paths.ts';
import { sanitize } from '../../contract/sanitize.ts';
import { runSetup, type SetupResult } from '../../shims/setup/run-setup.ts';
import { planSetup, type SetupPlan, type SetupStep } from '../../shims/setup/setup-plan.ts';
import { agrees } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { startDaemonFor } from '../daemon-start.ts';
import { print, printJson, printLines, remark } from '../output.ts';
import { type OutputOptions, wantsJson } from '../program/command-host.ts';

export interface SetupCommandOptions extends OutputOptions {
  socket?: string;
  yes?: boolean;
}

/** `setup`: shows what would change and why, asks, installs, and says what is left to do by hand. */
export async function run(context: CliContext, options: SetupCommandOptions): Promise<number> {
  const { around } = context;
  const paths = resolvePaths(around, options.socket);
  const setup = { around, paths, builtIn: context.programsDir };
  const plan = await planSetup(setup);
  const json = wantsJson(options);
  if (json && options.yes !== true) {
    await printJson(context, plan);
    return 0;
  }
  const steps = plan.steps.filter((step) => step.change === 'create' || step.change === 'edit');
  if (!json) await printLines(context, planLines(plan));
  if (steps.length > 0 && options.yes !== true && !(await agrees(context, 'Make these changes?'))) {
    await print(context, 'Nothing was changed.');
    return 1;
  }
  const result = await runSetup(setup, steps);
  await startDaemonFor(context, paths);
  const untouched = plan.steps.filter((step) => step.change === 'refused');
  const code = json ? await reportJson(context, result, untouched) : await reportSetup(context, result);
  return untouched.length === 0 ? code : 1;
}

/** Prints what a setup or teardown did. What was refused makes the command fail, although the rest is done. */
export async function reportSetup(context: CliContext, result: SetupResult): Promise<number> {
  await printLines(context, result.messages.map(sanitize));
  for (const refused of result.refused) await remark(context, sanitize(`omni-dev: ${refused.message}`));
  return result.refused.length === 0 ? 0 : 1;
}

async function reportJson(
  context: CliContext,
  result: SetupResult,
  untouched: readonly SetupStep[],
): Promise<number> {
  const refused = [
    ...untouched.map(({ code, refused: message }) => ({ code, message })),
    ...result.refused.map(({ code, message }) => ({ code, message })),
  ];
  await printJson(context, { ...result, refused });
  return refused.length === 0 ? 0 : 1;
}

const MARKS: Record<SetupStep['change'], string> = {
  create: '+ create',
  edit: '~ edit',
  nothing: '= there already',
  refused: '! cannot change',
};

function planLines(plan: SetupPlan): string[] {
  const lines = plan.steps.flatMap((step) => [
    `${MARKS[step.change].padEnd(16)} ${step.title}: ${step.file}`,
    `                 ${step.refused ?? step.why}`,
  ]);
  const missing = plan.notFound.length === 0 ? [] : [`not found here: ${plan.notFound.join(', ')}`];
  return [...lines, ...missing].map(sanitize);
}
