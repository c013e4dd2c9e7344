import { restartDaemon } from '../../../daemon-lite/service/control.ts';
import type { CliContext } from '../../context.ts';
import { accessOf } from '../../daemon-access.ts';
import { controlOptions } from '../../daemon-start.ts';
import { refreshInstalledPrograms } from '../../installed-programs.ts';
import { print } from '../../output.ts';
import type { DaemonStartOptions } from './start.ts';

/** `daemon restart` */
export async function run(context: CliContext, options: DaemonStartOptions): Promise<void> {
  const { paths } = accessOf(context, options);
  refreshInstalledPrograms(context, paths);
  const control = await controlOptions(context, paths);
  const { services } = options;
  const { message } = await restartDaemon(services === undefined ? control : { ...control, services });
  await print(context, message);
}
