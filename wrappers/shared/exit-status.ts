import { constants } from 'node:os';

/** How a child process ended. */
export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The status the wrapper leaves with: the child's code, or 128 + n when signal n ended it, as a shell says it. */
export function exitCodeOf({ code, signal }: ChildEnd): number {
  if (signal !== null) return 128 + (constants.signals[signal] ?? 0);
  return code ?? 1;
}

/** A spawn failure as a shell says it: 127 when there is no such command, 126 when it cannot be run. */
export function spawnFailureCode(systemCode: string | undefined): number {
  return systemCode === 'ENOENT' ? 127 : 126;
}
