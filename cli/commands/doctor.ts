import { resolvePaths } from '../../contract/paths.ts';
import { type CliContext, wantsColour } from '../context.ts';
import type { SocketOptions } from '../daemon-access.ts';
import { daemonFindings } from '../doctor/daemon-findings.ts';
import { doctorLines } from '../doctor/doctor-lines.ts';
import { type Finding, worstOf } from '../doctor/finding.ts';
import { gatherDaemon, gatherNode, gatherSocket, gatherWrapper } from '../doctor/gather.ts';
import { gatherClaudeHooks, gatherCodexHooks, gatherPi } from '../doctor/gather-hooks.ts';
import { claudeHookFindings, codexHookFindings, piFindings } from '../doctor/hooks-findings.ts';
import { nodeFindings } from '../doctor/node-findings.ts';
import { socketFindings } from '../doctor/socket-findings.ts';
import { wrapperFindings } from '../doctor/wrapper-findings.ts';
import { printJson, printLines } from '../output.ts';
import { type OutputOptions, wantsJson } from '../program/command-host.ts';
import { createPaint } from '../view/paint.ts';

/** `doctor`: looks, changes nothing. Exit 1 when anything is a problem; a warning alone is no failure. */
export async function run(context: CliContext, options: SocketOptions & OutputOptions): Promise<number> {
  const findings = await examine(context, options);
  const level = worstOf(findings);
  if (wantsJson(options)) await printJson(context, { level, findings });
  else await printLines(context, doctorLines(findings, createPaint(wantsColour(context, context.stdout))));
  return level === 'problem' ? 1 : 0;
}

async function examine({ around }: CliContext, { socket }: SocketOptions): Promise<Finding[]> {
  const paths = resolvePaths(around, socket);
  return [
    ...socketFindings(gatherSocket(around, paths)),
    ...daemonFindings(await gatherDaemon(around, paths)),
    ...nodeFindings(gatherNode(paths)),
    ...wrapperFindings(gatherWrapper(around, paths)),
    ...claudeHookFindings(gatherClaudeHooks(around, paths)),
    ...codexHookFindings(gatherCodexHooks(around)),
    ...piFindings(gatherPi(around)),
  ];
}
