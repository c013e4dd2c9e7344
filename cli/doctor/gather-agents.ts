import { execFile } from 'node:child_process';
import type { Surroundings } from '../../contract/paths.ts';
import { findOnPath } from '../../shims/install/find-on-path.ts';
import { ThrowAwayHome } from '../stage/throw-away-home.ts';
import type { AgentFacts } from './agent-findings.ts';
import { CAPTURED_VERSIONS, type FoundAgent } from './captured-versions.ts';

const VERSION_MS = 10_000;

/** Asks every agent on the PATH for its version, in a throw-away home: some make their folder even for that. */
export async function gatherAgents(around: Surroundings): Promise<AgentFacts[]> {
  const names = Object.keys(CAPTURED_VERSIONS) as FoundAgent[];
  const found = names.flatMap((name) => {
    const program = findOnPath(around, name);
    return program === undefined ? [] : [{ name, program }];
  });
  if (found.length === 0) return [];
  const home = throwAwayHome(around);
  if (home === undefined) return found.map((agent) => ({ ...agent, version: undefined }));
  try {
    return await Promise.all(
      found.map(async (agent) => ({ ...agent, version: await agentVersion(agent.program, home.env) })),
    );
  } finally {
    home.remove();
  }
}

/** Undefined where there is no place for one. */
function throwAwayHome(around: Surroundings): ThrowAwayHome | undefined {
  try {
    return new ThrowAwayHome(around);
  } catch {
    return undefined;
  }
}

/**
 * What an agent says its version is, or undefined.
 *
 * @param env of a throw-away home
 * @param signal ends the question
 */
export function agentVersion(
  program: string,
  env: Record<string, string>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env, signal, timeout: VERSION_MS, killSignal: 'SIGKILL' } as const;
    execFile(program, ['--version'], options, (error, stdout) => {
      resolve(error === null ? /\b(\d+\.\d+\.\d+)/.exec(stdout)?.[1] : undefined);
    }).stdin?.end();
  });
}
