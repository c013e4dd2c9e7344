import { stopDaemon } from '../../../daemon-lite/service/control.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { keeperOf } from '../../daemon-keeper.ts';
import { print } from '../../output.ts';

/** `daemon stop`: exit 0 whether or not one ran. */
export async function run(context: CliContext, options: SocketOptions): Promise<void> {
  const { paths } = accessOf(context, options);
  const keeper = await keeperOf(context, paths);
  const { message } = await stopDaemon({ paths, ...(keeper === undefined ? {} : { keeper }) });
  await print(context, message);
}
