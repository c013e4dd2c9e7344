import { writeSync } from 'node:fs';
import { systemErrorCode } from '../../contract/errors.ts';
import { sanitize } from '../../contract/sanitize.ts';
import { spawnFailureCode } from './exit-status.ts';

export type Wrapper = 'claude-wrap' | 'codex-wrap';

const REASONS: Record<string, string> = {
  ENOENT: 'no such command or file, or the folder to run it in is gone',
  EACCES: 'permission denied',
  E2BIG: 'the arguments and the environment are too long',
};

/**
 * Says that the command could not be started and leaves with the status that a shell would give.
 *
 * @param wrapper who says it
 */
export function reportSpawnFailure(command: string, error: unknown, wrapper: Wrapper = 'claude-wrap'): never {
  const code = systemErrorCode(error);
  const reason = (code === undefined ? undefined : REASONS[code]) ?? code ?? 'unknown error';
  say(`omni-dev ${wrapper}: failed to spawn ${sanitize(command)}: ${reason}`);
  process.exit(spawnFailureCode(code));
}

/** Writes one line for the user. Never fails: stderr may be closed. */
export function say(text: string): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // Nobody can be told.
  }
}
