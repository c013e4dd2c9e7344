import { readFileSync, readlinkSync } from 'node:fs';

/** A launcher is a few levels above the agent at most. */
const MOST_GENERATIONS = 16;

/**
 * The pid to report. Claude names its own in the `initialize` answer, which differs from the child's when that is a
 * launcher. It is believed when it is the child or a descendant of it: a Claude in a container names a pid that means
 * another process here, and a replayed capture one that is long gone.
 */
export function agentPid(childPid: number, named: number | undefined, platform = process.platform): number {
  if (named === undefined || named === childPid) return childPid;
  if (platform !== 'linux') return isAlive(named) ? named : childPid;
  let pid: number | undefined = named;
  for (let generation = 0; generation < MOST_GENERATIONS && pid !== undefined && pid > 1; generation += 1) {
    if (pid === childPid) return named;
    pid = parentOf(pid);
  }
  return childPid;
}

/** The pid namespace of this process (`pid:[4026531836]`), or undefined where there is none. */
export function pidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** Parent of a process as Linux tells it. The command name, which may hold anything, ends at the last parenthesis. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return Number.isSafeInteger(parent) ? parent : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
