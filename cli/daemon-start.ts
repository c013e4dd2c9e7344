import { OmniDevError } from '../contract/errors.ts';
import type { Paths } from '../contract/paths.ts';
import type { CliContext } from './context.ts';

/** Starts a daemon in the background and resolves when it answers. */
export async function startDaemon(_context: CliContext, paths: Paths): Promise<void> {
  throw new OmniDevError(
    'DAEMON_NOT_READY',
    `daemon did not become ready within 5s (socket ${paths.socket})`,
  );
}
