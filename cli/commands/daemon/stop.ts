import { stopDaemon } from '../../../daemon-lite/service/control.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { print } from '../../output.ts';

/** `daemon stop`: exit 0 whether or not one ran. */
export async function run(context: CliContext, options: SocketOptions): Promise<void> {
  const { message } = await stopDaemon({ paths: accessOf(context, options).paths });
  await print(context, message);
}
