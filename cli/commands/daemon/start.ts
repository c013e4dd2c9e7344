import { startDaemon } from '../../../daemon-lite/service/control.ts';
import type { CliContext } from '../../context.ts';
import { accessOf, type SocketOptions } from '../../daemon-access.ts';
import { controlOptions } from '../../daemon-start.ts';
import { print } from '../../output.ts';

export interface DaemonStartOptions extends SocketOptions {
  services?: string;
}

/** `daemon start` */
export async function run(context: CliContext, options: DaemonStartOptions): Promise<void> {
  const control = controlOptions(context, accessOf(context, options).paths);
  const { services } = options;
  const { message } = await startDaemon(services === undefined ? control : { ...control, services });
  await print(context, message);
}
