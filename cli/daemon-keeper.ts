import path from 'node:path';
import type { Paths } from '../contract/paths.ts';
import type { DaemonKeeper } from '../daemon-lite/service/keeper.ts';
import { serviceManager } from '../shims/service/manager-here.ts';
import type { ServiceManager } from '../shims/service/service-manager.ts';
import { readServiceRecord } from '../shims/service/service-record.ts';
import { isSystemdSwitchedOff } from '../shims/service/systemd-switch.ts';
import type { CliContext } from './context.ts';

/** The service manager into which `daemon install` put the daemon of this socket, whether or not it can be told anything. */
export function installedManagerOf({ around }: CliContext, paths: Paths): ServiceManager | undefined {
  const isInstalled = readServiceRecord(paths)?.socket === path.resolve(paths.socket);
  return isInstalled ? serviceManager(around) : undefined;
}

/** The same, where it can be told something from here. */
export async function keeperOf(context: CliContext, paths: Paths): Promise<DaemonKeeper | undefined> {
  const manager = installedManagerOf(context, paths);
  return (await manager?.reach())?.is === 'here' ? manager : undefined;
}

/** The one that starts it: none where the user's environment switches it off. */
export async function startingKeeperOf(context: CliContext, paths: Paths): Promise<DaemonKeeper | undefined> {
  return isSystemdSwitchedOff(context.around) ? undefined : keeperOf(context, paths);
}
