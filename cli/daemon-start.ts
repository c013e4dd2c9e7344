import path from 'node:path';
import type { Paths } from '../contract/paths.ts';
import type { ControlOptions } from '../daemon-lite/service/control.ts';
import type { CliContext } from './context.ts';
import { remark } from './output.ts';

/** What the daemon's own control needs to know of this program. */
export function controlOptions(context: CliContext, paths: Paths): ControlOptions {
  return { paths, around: context.around, bundle: path.join(context.programsDir, 'daemon.cjs') };
}

/**
 * Starts a daemon in the background for a command that needs one, and resolves when it answers. Says so to a person.
 *
 * @throws OmniDevError as `daemon start` does
 */
export async function startDaemonFor(context: CliContext, paths: Paths): Promise<void> {
  const { startDaemon } = await import('../daemon-lite/service/control.ts');
  const { message } = await startDaemon(controlOptions(context, paths));
  if (context.stderr.isTTY === true) await remark(context, `omni-dev: ${message}`);
}
