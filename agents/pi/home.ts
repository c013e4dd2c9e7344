import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';

/** pi's folder: `PI_CODING_AGENT_DIR` where it is set, else `~/.pi/agent`. */
export function piHome(around: Surroundings): string {
  const configured = around.env.PI_CODING_AGENT_DIR?.trim();
  return configured ? expandHome(configured, around.home) : path.join(around.home, '.pi', 'agent');
}

/** The folder of pi's session files: `PI_CODING_AGENT_SESSION_DIR` where it is set. */
export function piSessionsFolder(around: Surroundings): string {
  const configured = around.env.PI_CODING_AGENT_SESSION_DIR?.trim();
  return configured ? expandHome(configured, around.home) : path.join(piHome(around), 'sessions');
}

function expandHome(folder: string, home: string): string {
  return path.resolve(folder.replace(/^~(?=$|\/)/, () => home));
}
