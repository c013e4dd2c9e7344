import type { Surroundings } from '../../contract/paths.ts';
import { LaunchdManager } from './launchd-manager.ts';
import { type RunTool, runTool } from './run-tool.ts';
import type { ServiceManager } from './service-manager.ts';
import { SystemdManager } from './systemd-manager.ts';

/** The service manager of this platform. */
export function serviceManager(around: Surroundings, run: RunTool = runTool): ServiceManager {
  return around.platform === 'darwin' ? new LaunchdManager(around, run) : new SystemdManager(around, run);
}
