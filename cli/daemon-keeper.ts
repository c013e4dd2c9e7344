import path from 'node:path';
import type { Paths } from '../contract/paths.ts';
import type { DaemonKeeper } from '../daemon-lite/service/keeper.ts';
import { serviceManager } from '../shims/service/manager-here.ts';
import { readServiceRecord } from '../shims/service/service-record.ts';
import { isSystemdSwitchedOff } from '../shims/service/systemd-switch.ts';
import type { CliContext } from './context.ts';

/**
 * The service manager that keeps the daemon of this socket: where `daemon install` was run for it and the manager can be
 * told something from here.
 */
export async function keeperOf({ around }: CliContext, paths: Paths): Promise<DaemonKeeper | undefined> {
  if (readServiceRecord(paths)?.socket !== path.resolve(paths.socket)) return undefined;
  const manager = serviceManager(around);
  return (await manager.reach()).is === 'here' ? manager : undefined;
}

/** The one that starts it: none where the user's environment switches it off. */
export async function startingKeeperOf(context: CliContext, paths: Paths): Promise<DaemonKeeper | undefined> {
  return isSystemdSwitchedOff(context.around) ? undefined : keeperOf(context, paths);
}
