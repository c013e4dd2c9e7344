import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import type { ResumeSpec } from '../../../catalog/session.ts';
import { OmniDevError, systemErrorCode } from '../../../contract/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Signals that end this program: the agent gets them, and decides. */
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;
/** Signals the terminal sends to the agent as well. */
const LEFT_TO_THE_AGENT = ['SIGINT', 'SIGQUIT'] as const;

/**
 * Runs a resume spec on this terminal and waits for its end.
 *
 * @returns the agent's exit code, 128 + n when signal n ended it; a preparing command's when that failed
 * @throws OmniDevError RESUME_COMMAND when a program cannot be started
 */
export async function runSpec(spec: ResumeSpec, environment: Environment): Promise<number> {
  for (const command of spec.prepare ?? []) {
    const code = await runCommand(command, spec, environment);
    if (code !== 0) return code;
  }
  return runCommand(spec.command, spec, environment);
}

async function runCommand(
  [program = '', ...args]: readonly string[],
  spec: ResumeSpec,
  environment: Environment,
): Promise<number> {
  const child = spawn(program, args, {
    cwd: spec.cwd,
    env: { ...environment, ...spec.env },
    stdio: 'inherit',
  });
  const release = holdSignals(child);
  try {
    return await exitOf(child, program);
  } finally {
    release();
  }
}

function holdSignals(child: ChildProcess): () => void {
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  const ignore = () => {};
  for (const signal of PASSED_ON) process.on(signal, passOn);
  for (const signal of LEFT_TO_THE_AGENT) process.on(signal, ignore);
  return () => {
    for (const signal of PASSED_ON) process.off(signal, passOn);
    for (const signal of LEFT_TO_THE_AGENT) process.off(signal, ignore);
  };
}

function exitOf(child: ChildProcess, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const code = systemErrorCode(error) ?? error.message;
      const hint = code === 'ENOENT' ? 'is it installed, and on the PATH?' : code;
      reject(new OmniDevError('RESUME_COMMAND', `cannot run ${program}: ${hint}`));
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? (code ?? 1) : 128 + os.constants.signals[signal]);
    });
  });
}
