import path from 'node:path';
import type { Paths } from '../contract/paths.ts';
import type { ControlOptions } from '../daemon-lite/service/control.ts';
import type { CliContext } from './context.ts';
import { remark } from './output.ts';

/** What the daemon's own control needs to know of this program and of the service manager, to start a daemon. */
export async function controlOptions(context: CliContext, paths: Paths): Promise<ControlOptions> {
  const { startingKeeperOf } = await import('./daemon-keeper.ts');
  const keeper = await startingKeeperOf(context, paths);
  return {
    paths,
    around: context.around,
    bundle: path.join(context.programsDir, 'daemon.cjs'),
    ...(keeper === undefined ? {} : { keeper }),
  };
}

/**
 * Starts a daemon in the background for a command that needs one, and resolves when it answers. Says so to a person.
 *
 * @throws OmniDevError as `daemon start` does
 */
export async function startDaemonFor(context: CliContext, paths: Paths): Promise<void> {
  const { startDaemon } = await import('../daemon-lite/service/control.ts');
  const { message } = await startDaemon(await controlOptions(context, paths));
  if (context.stderr.isTTY === true) await remark(context, `omni-dev: ${message}`);
}
