import { CAPTURED_VERSIONS, type FoundAgent } from './captured-versions.ts';
import { type Finding, ok, warning } from './finding.ts';

/** An agent on the PATH. */
export interface AgentFacts {
  name: FoundAgent;
  program: string;
  /** Undefined when it did not say. */
  version: string | undefined;
}

const CHECK = 'agent';

/** Judges the agents' versions against those that were recorded: another minor version may speak differently. */
export function agentFindings(agents: readonly AgentFacts[]): Finding[] {
  if (agents.length === 0) return [ok(CHECK, 'no claude, codex or pi on the PATH')];
  return agents.map(agentFinding);
}

function agentFinding({ name, program, version }: AgentFacts): Finding {
  const known = CAPTURED_VERSIONS[name];
  if (version === undefined)
    return warning(CHECK, `${program} does not say its version`, `${program} --version   (shows why)`);
  if (version === known)
    return ok(CHECK, `${name} ${version}: the version that our recordings were made with`);
  const found = `${name} ${version}: our recordings were made with ${known}`;
  if (minorOf(version) === minorOf(known)) return ok(CHECK, found);
  return warning(CHECK, found, checkBy(name));
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

function checkBy(name: FoundAgent): string {
  if (name === 'pi') return 'see whether its sessions show: omni-dev sessions list';
  return `omni-dev selftest --agent ${name}   (tells whether every signal still comes)`;
}
