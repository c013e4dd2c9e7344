import { execFile } from 'node:child_process';
import type { Surroundings } from '../../contract/paths.ts';
import { findOnPath } from '../../shims/install/find-on-path.ts';
import type { AgentFacts } from './agent-findings.ts';
import { CAPTURED_VERSIONS, type FoundAgent } from './captured-versions.ts';

const VERSION_MS = 10_000;

/** Asks every agent on the PATH for its version. */
export async function gatherAgents(around: Surroundings): Promise<AgentFacts[]> {
  const names = Object.keys(CAPTURED_VERSIONS) as FoundAgent[];
  const found = names.map(async (name): Promise<AgentFacts[]> => {
    const program = findOnPath(around, name);
    return program === undefined ? [] : [{ name, program, version: await agentVersion(program, around.env) }];
  });
  return (await Promise.all(found)).flat();
}

/** What an agent says its version is, or undefined. */
export function agentVersion(program: string, env: Surroundings['env']): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: VERSION_MS, killSignal: 'SIGKILL' } as const;
    execFile(program, ['--version'], options, (error, stdout) => {
      resolve(error === null ? /\b(\d+\.\d+\.\d+)/.exec(stdout)?.[1] : undefined);
    }).stdin?.end();
  });
}
