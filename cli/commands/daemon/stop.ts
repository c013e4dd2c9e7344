import { stopDaemon } from '../../../daemon-lite/service/control.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { installedManagerOf, keeperOf } from '../../daemon-keeper.ts';
import { print, remark } from '../../output.ts';

/** `daemon stop`: exit 0 whether or not one ran. */
export async function run(context: CliContext, options: SocketOptions): Promise<void> {
  const { paths } = accessOf(context, options);
  const keeper = await keeperOf(context, paths);
  const { message } = await stopDaemon({ paths, ...(keeper === undefined ? {} : { keeper }) });
  await print(context, message);
  const manager = keeper === undefined ? installedManagerOf(context, paths) : undefined;
  if (manager === undefined) return;
  const { name, byHand } = manager;
  const command = byHand.stop.join('; ');
  await remark(
    context,
    `warning: ${name} may start it again. In a login session of this user, run: ${command}`,
  );
}
