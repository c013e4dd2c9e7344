import { PtySession } from '../../pty/session.ts';
import { exitCodeOf } from '../../shared/exit-status.ts';
import { titlePrefix, titlesAreOff } from '../title-prefix.ts';
import { Observation } from './observation.ts';

export interface RunOnPtyOptions {
  command: readonly [string, ...string[]];
  socket: string | undefined;
  programDir: string;
  verbose: boolean;
}

/**
 * Runs the command on a pseudo-terminal between it and the user's terminal, reports its session, and leaves the process
 * with its status.
 *
 * @returns false when that cannot be done here: nothing was started, and the caller runs the command plainly
 */
export async function runOnPty(options: RunOnPtyOptions): Promise<boolean> {
  const session = PtySession.start({
    ...options,
    wrapper: 'claude-wrap',
    titlePrefix: titlesAreOff(process.env) ? undefined : titlePrefix,
  });
  if (session === undefined) return false;
  const observation = new Observation({
    ...options,
    childPid: session.pid,
    onModel: (model) => session.setModel(model),
  });
  const end = await session.run((status) => observation.setStatus(status));
  await observation.finish().catch(() => {});
  process.exit(exitCodeOf(end));
}
