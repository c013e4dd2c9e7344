import { existsSync } from 'node:fs';
import path from 'node:path';
import { resolvePaths } from '../../contract/paths.ts';
import { type CliContext, wantsColour } from '../context.ts';
import { printJson, printLines, remark } from '../output.ts';
import { type OutputOptions, wantsJson } from '../program/command-host.ts';
import {
  checkWithCommand,
  checkWithOwnChild,
  type VerifyCheck,
  type VerifyTarget,
} from '../verify/checks.ts';
import { checkLines, footLines, headLines, type VerifyReport } from '../verify/report-lines.ts';
import { TerminalRunner } from '../verify/run-on-terminal.ts';
import { checkCommandOnTerminal, checkOnTerminal } from '../verify/terminal-checks.ts';
import { measureOnTerminal } from '../verify/terminal-timings.ts';
import { measure, type VerifyTiming } from '../verify/timings.ts';
import { createPaint } from '../view/paint.ts';

interface VerifyOptions extends OutputOptions {
  shim?: string;
  pty?: boolean;
}

/** What is run directly and through the wrapper. */
interface Proof {
  target: VerifyTarget;
  checks(): AsyncIterable<VerifyCheck>;
  ofCommand(): Promise<VerifyCheck[]>;
  timings(): Promise<VerifyTiming[]>;
}

/**
 * `verify-wrapper [--pty] [-- CMD…]`: runs things directly and through the wrapper, with pipes or on terminals, and
 * compares bytes, exit status, signals and modes. Exit 1 on any difference.
 */
export async function run(context: CliContext, options: VerifyOptions, command: string[]): Promise<number> {
  const own = [process.execPath, path.join(context.programsDir, 'omni-dev.cjs'), 'verify-child'];
  const proof = options.pty ? onTerminals(context, own, command) : onPipes(context, options, own, command);
  if (proof === undefined) {
    await remark(
      context,
      'node-pty is not installed: --pty runs every command plainly, there is nothing to prove',
    );
    return 1;
  }
  const paint = createPaint(wantsColour(context, context.stdout));
  const asText = !wantsJson(options);
  const checks: VerifyCheck[] = [];
  const take = async (check: VerifyCheck) => {
    checks.push(check);
    if (asText) await printLines(context, checkLines(check, paint));
  };
  const wrapper = proof.target.wrapper.join(' ');
  if (asText) await printLines(context, headLines(wrapper));
  for await (const check of proof.checks()) await take(check);
  for (const check of command.length === 0 ? [] : await proof.ofCommand()) await take(check);
  const same = checks.every((check) => check.same !== false);
  const report: VerifyReport = { wrapper, same, checks, timings: await proof.timings() };
  if (asText) await printLines(context, footLines(report));
  else await printJson(context, report);
  return same ? 0 : 1;
}

function onPipes(context: CliContext, options: VerifyOptions, own: string[], command: string[]): Proof {
  const target = targetOf(context, options);
  return {
    target,
    checks: () => checkWithOwnChild(own, target),
    ofCommand: () => checkWithCommand(command, target),
    timings: () => measure([...own, 'echo'], target),
  };
}

function onTerminals(context: CliContext, own: string[], command: string[]): Proof | undefined {
  const wrapper = [process.execPath, path.join(context.programsDir, 'claude-wrap.cjs'), '--pty', '--'];
  const target = { wrapper, env: envOf(context) };
  try {
    const runner = new TerminalRunner(context.programsDir);
    return {
      target,
      checks: () => checkOnTerminal(own, target, runner),
      ofCommand: () => checkCommandOnTerminal(command, target, runner),
      timings: () => measureOnTerminal([...own, 'terminal-echo'], target, runner),
    };
  } catch {
    return undefined;
  }
}

/** Nothing here is an agent: no daemon has to be started for it. */
function envOf({ around }: CliContext): NodeJS.ProcessEnv {
  return { ...around.env, OMNI_DEV_NO_AUTOSTART: '1' };
}

/** The installed shim where there is one, for that is what runs every day; else this build's own wrapper. */
function targetOf(context: CliContext, { shim }: VerifyOptions): VerifyTarget {
  const installed = shim === undefined ? resolvePaths(context.around).wrapperShim : path.resolve(shim);
  const bundle = [process.execPath, path.join(context.programsDir, 'claude-wrap.cjs'), '--'];
  return {
    wrapper: shim !== undefined || existsSync(installed) ? [installed] : bundle,
    env: envOf(context),
  };
}
