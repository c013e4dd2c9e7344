import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import { findOnPath, isExecutableFile } from '../../shims/install/find-on-path.ts';
import { type CliContext, wantsColour } from '../context.ts';
import { agentVersion } from '../doctor/gather-agents.ts';
import { printJson, printLines } from '../output.ts';
import { type OutputOptions, wantsJson } from '../program/command-host.ts';
import { selftestLines } from '../selftest/report-lines.ts';
import type { SelftestReport } from '../selftest/signals.ts';
import { SelftestStage } from '../selftest/stage.ts';
import type { TurnResult } from '../selftest/turn-result.ts';
import { Deadline } from '../selftest/wait.ts';
import { onInterrupt } from '../stage/on-interrupt.ts';
import { createPaint } from '../view/paint.ts';

interface SelftestOptions extends OutputOptions {
  agent: SelftestReport['agent'];
  program?: string;
}

/** The whole turn; stopping and cleaning up come on top, within the minute that a person is told. */
const LIMIT_MS = 54_000;

/** `selftest --agent X`: one scripted turn of the installed agent, and which of its signals came. Exit 1 when one did not. */
export async function run(context: CliContext, options: SelftestOptions): Promise<number> {
  const begin = performance.now();
  const { agent } = options;
  const program = programOf(context, options);
  const { version, signals, problem, skipped } = await play(context, agent, program);
  const isBroken = problem !== undefined || signals.some(({ result }) => result === 'missing');
  const report: SelftestReport = {
    agent,
    program,
    version,
    ok: !isBroken,
    ...(problem === undefined ? {} : { problem }),
    ...(skipped === undefined ? {} : { skipped }),
    took_ms: Math.round(performance.now() - begin),
    signals,
  };
  if (wantsJson(options)) await printJson(context, report);
  else await printLines(context, selftestLines(report, createPaint(wantsColour(context, context.stdout))));
  return report.ok ? 0 : 1;
}

async function play(
  context: CliContext,
  agent: SelftestReport['agent'],
  program: string,
): Promise<TurnResult & { version: string | undefined }> {
  const opening = SelftestStage.open(context);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= opening.then(
      (stage) => stage.close(),
      () => {},
    );
    return closing;
  };
  const undo = onInterrupt(close);
  try {
    const stage = await opening;
    const asking = new AbortController();
    stage.add({ stop: async () => asking.abort() });
    const version = await agentVersion(program, stage.home.env, asking.signal);
    return { version, ...(await runTurn(agent, program, stage)) };
  } finally {
    undo();
    await close();
  }
}

async function runTurn(
  agent: SelftestReport['agent'],
  program: string,
  stage: SelftestStage,
): Promise<TurnResult> {
  const deadline = new Deadline(LIMIT_MS);
  if (agent === 'claude') {
    const { runClaudeTurns } = await import('../selftest/claude-turn.ts');
    return runClaudeTurns(program, stage, deadline);
  }
  const { runCodexTurn } = await import('../selftest/codex-turn.ts');
  return runCodexTurn(program, stage, deadline);
}

/** The agent as the doctor finds it, or the one that was named. */
function programOf({ around }: CliContext, { agent, program }: SelftestOptions): string {
  const named = program?.includes('/') ? path.resolve(program) : undefined;
  if (named !== undefined && isExecutableFile(named)) return named;
  if (named !== undefined)
    throw new OmniDevError('SELFTEST_NO_AGENT', `${named} is no program that can be run`);
  const name = program ?? agent;
  const found = findOnPath(around, name);
  if (found !== undefined) return found;
  throw new OmniDevError('SELFTEST_NO_AGENT', `${name} is not on the PATH; name it with --program`);
}
