import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExitStatus } from './capture.ts';
import type { Scenario, ScenarioStep } from './scenario.ts';
import type { StreamHost } from './stream-host.ts';
import type { TerminalHost } from './terminal-host.ts';

/** The loaded machines that run this are slow: a step that is never late here may be there. */
const AWAIT_MS = 60_000;
const GRACE_MS = 10_000;

/** What `sh` steps need to know. */
export interface StepSurroundings {
  cwd: string;
  env: Record<string, string>;
}

/** A step of the scenario that did not come true. */
export class ScenarioFailure extends Error {}

/** Plays the script of a stream or print scenario, then makes sure that the process is gone. */
export async function playStream(
  host: StreamHost,
  scenario: Scenario,
  around: StepSurroundings,
): Promise<ExitStatus> {
  try {
    if (scenario.mode === 'stream' && scenario.initialize !== false) {
      host.control({ subtype: 'initialize', ...scenario.initialize });
      await demand(host.awaitLine({ type: 'control_response' }, AWAIT_MS), 'the answer to initialize');
    }
    for (const step of scenario.script ?? []) {
      if (host.exit !== undefined && step.sh === undefined && step.sleep === undefined) break;
      await streamStep(host, step, around);
    }
    host.closeInput();
    await Promise.race([host.exited, sleep(GRACE_MS)]);
  } finally {
    await endProcess(host, (signal) => host.child.kill(signal));
  }
  return host.exited;
}

/** Plays the script of a terminal scenario, then makes sure that the process is gone. */
export async function playTerminal(
  host: TerminalHost,
  scenario: Scenario,
  around: StepSurroundings,
): Promise<ExitStatus> {
  try {
    for (const step of scenario.script ?? []) {
      if (host.exit !== undefined && step.sh === undefined && step.sleep === undefined) break;
      await terminalStep(host, step, around);
    }
  } finally {
    await endProcess(host, (signal) => host.pty.kill(signal));
  }
  return host.exited;
}

async function streamStep(host: StreamHost, step: ScenarioStep, around: StepSurroundings): Promise<void> {
  if (step.user !== undefined) return host.prompt(step.user, step.with);
  if (step.control !== undefined) return host.control(step.control);
  if (step.raw !== undefined) return host.send(step.raw);
  if (step.close) return host.closeInput();
  if (step.await !== undefined) {
    return demand(host.awaitLine(step.await, step.timeout_ms ?? AWAIT_MS), JSON.stringify(step.await));
  }
  return commonStep(host, step, around, (signal) => host.signal(signal, step.to));
}

async function terminalStep(host: TerminalHost, step: ScenarioStep, around: StepSurroundings): Promise<void> {
  if (step.keys !== undefined) return host.type(step.keys);
  if (step.screen !== undefined) {
    const found = host.awaitScreen(step.screen, step.timeout_ms ?? AWAIT_MS);
    return demand(found, `the screen to show ${step.screen}`, () => host.screenText().slice(-2_000));
  }
  if (step.status !== undefined) {
    const announced = host.awaitStatus(step.status, step.timeout_ms ?? AWAIT_MS);
    const heard = () => host.announced.map(({ state }) => state).join(' ');
    return demand(announced, `the agent to announce ${step.status}; it announced`, heard);
  }
  return commonStep(host, step, around, (signal) => host.pty.kill(signal));
}

async function commonStep(
  host: { exited: Promise<ExitStatus> },
  step: ScenarioStep,
  around: StepSurroundings,
  kill: (signal: NodeJS.Signals) => void,
): Promise<void> {
  if (step.sleep !== undefined) await sleep(step.sleep);
  else if (step.signal !== undefined) kill(step.signal);
  else if (step.sh !== undefined) await runShell(step.sh, around);
  else if (step.exit !== undefined) await Promise.race([host.exited, sleep(step.exit)]);
  else throw new ScenarioFailure(`no such step here: ${JSON.stringify(step)}`);
}

async function demand(coming: Promise<boolean>, what: string, more = () => ''): Promise<void> {
  if (!(await coming)) throw new ScenarioFailure(`waited in vain for ${what}\n${more()}`);
}

function runShell(command: string, { cwd, env }: StepSurroundings): Promise<void> {
  return new Promise((done) => {
    execFile('/bin/bash', ['-c', command], { cwd, env, timeout: AWAIT_MS }, () => done());
  });
}

/** TERM, then KILL: no scenario may leave a process behind, a failed one least of all. */
async function endProcess(
  host: { exit: ExitStatus | undefined; exited: Promise<ExitStatus> },
  kill: (signal: NodeJS.Signals) => void,
): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (host.exit !== undefined) return;
    kill(signal);
    await Promise.race([host.exited, sleep(GRACE_MS / 2)]);
  }
}
