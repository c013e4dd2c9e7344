import { resolvePaths } from '../../contract/paths.ts';
import { type CliContext, wantsColour } from '../context.ts';
import type { SocketOptions } from '../daemon-access.ts';
import { agentFindings } from '../doctor/agent-findings.ts';
import { type DaemonFacts, daemonFindings } from '../doctor/daemon-findings.ts';
import { doctorLines } from '../doctor/doctor-lines.ts';
import { type Finding, warning, worstOf } from '../doctor/finding.ts';
import { gatherDaemon, gatherNode, gatherSocket, gatherWrapper } from '../doctor/gather.ts';
import { gatherAgents } from '../doctor/gather-agents.ts';
import { gatherClaudeHooks, gatherCodexHooks, gatherPi } from '../doctor/gather-hooks.ts';
import { gatherInstallation, gatherService } from '../doctor/gather-service.ts';
import { claudeHookFindings, codexHookFindings, piFindings } from '../doctor/hooks-findings.ts';
import { installationFindings } from '../doctor/installation-findings.ts';
import { liveDaemonFinding } from '../doctor/live-daemon.ts';
import { nodeFindings } from '../doctor/node-findings.ts';
import { observerFindings } from '../doctor/observer-findings.ts';
import { serviceFindings } from '../doctor/service-findings.ts';
import { socketFindings } from '../doctor/socket-findings.ts';
import { wrapperFindings } from '../doctor/wrapper-findings.ts';
import { printJson, printLines } from '../output.ts';
import { type OutputOptions, wantsJson } from '../program/command-host.ts';
import { createPaint } from '../view/paint.ts';

interface DoctorOptions extends SocketOptions, OutputOptions {
  quick?: boolean;
}

/** `doctor`: looks, changes nothing. Exit 1 when anything is a problem; a warning alone is no failure. */
export async function run(context: CliContext, options: DoctorOptions): Promise<number> {
  const findings = await examine(context, options);
  const level = worstOf(findings);
  if (wantsJson(options)) await printJson(context, { level, findings });
  else await printLines(context, doctorLines(findings, createPaint(wantsColour(context, context.stdout))));
  return level === 'problem' ? 1 : 0;
}

async function examine(context: CliContext, { socket, quick }: DoctorOptions): Promise<Finding[]> {
  const { around } = context;
  const paths = resolvePaths(around, socket);
  const daemon = await gatherDaemon(around, paths);
  return [
    ...socketFindings(gatherSocket(around, paths)),
    ...daemonFindings(daemon),
    ...(isRunning(daemon) ? [await liveDaemonFinding(paths.socket)] : []),
    ...serviceFindings(await gatherService(around, paths)),
    ...observerFindings(daemon.status),
    ...nodeFindings(gatherNode(paths)),
    ...installationFindings(gatherInstallation(paths)),
    ...wrapperFindings(gatherWrapper(around, paths)),
    ...claudeHookFindings(gatherClaudeHooks(around, paths)),
    ...codexHookFindings(gatherCodexHooks(around, paths)),
    ...piFindings(gatherPi(around)),
    ...agentFindings(await gatherAgents(around)),
    ...(quick === true ? [] : await canaryFindings(context)),
  ];
}

function isRunning({ status }: DaemonFacts): boolean {
  return !('failed' in status) && status.running;
}

/** Loaded only when wanted: a quick look needs none of it. Whatever fails, the other findings are told. */
async function canaryFindings(context: CliContext): Promise<Finding[]> {
  const { runCanaries } = await import('../doctor/canary/canaries.ts');
  try {
    return await runCanaries(context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fix = 'make the temporary folder (TMPDIR) writable to you';
    return [warning('canary', `made-up sessions could not be sent: ${reason}`, fix)];
  }
}
