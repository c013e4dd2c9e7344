import { resolvePaths } from '../../contract/paths.ts';
import { sanitize } from '../../contract/sanitize.ts';
import { stopDaemon } from '../../daemon-lite/service/control.ts';
import { uninstallService } from '../../shims/service/install-service.ts';
import { serviceManager } from '../../shims/service/manager-here.ts';
import { runTeardown } from '../../shims/setup/run-teardown.ts';
import { agrees } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { print, printLines } from '../output.ts';
import { reportSetup } from './setup.ts';

export interface TeardownCommandOptions {
  socket?: string;
  yes?: boolean;
}

/** `teardown`: takes out what setup and the installers put anywhere, and stops the daemon. */
export async function run(context: CliContext, options: TeardownCommandOptions): Promise<number> {
  const paths = resolvePaths(context.around, options.socket);
  const question = 'Take omni-dev out of every agent and editor, and stop its daemon?';
  if (options.yes !== true && !(await agrees(context, question))) {
    await print(context, 'Nothing was changed.');
    return 1;
  }
  // First: what the service manager runs is about to go.
  const service = await uninstallService({
    around: context.around,
    paths,
    manager: serviceManager(context.around),
    dryRun: false,
  });
  await printLines(
    context,
    service.files.map(({ file }) => sanitize(`removed ${file}`)),
  );
  const code = await reportSetup(context, await runTeardown({ around: context.around, paths }));
  const { message } = await stopDaemon({ paths });
  await print(context, message);
  return code;
}
