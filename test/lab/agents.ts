import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One agent of agents.json. `program` is executable itself; `module` is loaded or run by a Node. */
interface AgentEntry {
  about: string;
  packages: string[];
  program?: string;
  module?: string;
  runsWith?: string;
}

const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, 'agents.json'), 'utf8')) as Record<
  string,
  AgentEntry
>;

/** Where install-agents.mjs puts the agents: OMNI_DEV_LAB_DIR, or a folder beside this file that is not tracked. */
export function labDir(): string {
  return path.resolve(process.env.OMNI_DEV_LAB_DIR || path.join(import.meta.dirname, '.agents'));
}

/**
 * The path of an installed agent's program or module.
 *
 * @throws Error when it is not installed: a suite that needs it must fail, never pass over.
 */
export function agentPath(name: string): string {
  const entry = manifest[name];
  const file = entry?.program ?? entry?.module;
  if (file === undefined) throw new Error(`agents.json knows no agent ${name}`);
  const full = path.join(labDir(), name, file);
  if (!existsSync(full)) {
    throw new Error(`NOT RUN: ${name} is not installed (node test/lab/install-agents.mjs ${name}): ${full}`);
  }
  return full;
}
