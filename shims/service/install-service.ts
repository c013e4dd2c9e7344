import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { type InstallProgramsOptions, installPrograms } from '../install/install-programs.ts';
import { quoteWhereNeeded } from '../install/shell-quote.ts';
import {
  assertNoneRefused,
  type FileStep,
  planServiceFiles,
  removableServiceFiles,
  removeServiceFiles,
  writeServiceFiles,
} from './edit-service-files.ts';
import { type ServiceFile, serviceFiles, serviceFilesOrNone } from './service-files.ts';
import type { ServiceManager } from './service-manager.ts';
import { isSystemdSwitchedOff } from './systemd-switch.ts';

export interface ServiceOptions {
  around: Surroundings;
  paths: Paths;
  manager: ServiceManager;
  /** Only tells what would be done. */
  dryRun: boolean;
}

export interface InstallServiceOptions extends ServiceOptions {
  /** Folder with the programs of this build. */
  builtIn: string;
  programs?: Partial<InstallProgramsOptions>;
  /** Stops a daemon that runs by itself on the socket, which the manager is about to take. */
  makeWay(): Promise<void>;
}

/** What an installation or its removal did, or would do. */
export interface ServiceResult {
  manager: string;
  changed: boolean;
  /** True when the manager keeps the daemon now. */
  armed: boolean;
  files: (FileStep | { file: string; change: 'remove' })[];
  /** What they would hold: of a dry run. */
  wanted?: ServiceFile[];
  /** Commands that are left to the user, because the manager could not be told from here. */
  next: readonly string[];
  /** Why they are. */
  unreachable?: string;
}

/**
 * Has the system's service manager keep the daemon: from login on, and again when it ended. Programs and shim first, so
 * that a definition never names nothing; then its files; then the manager is told.
 *
 * @throws OmniDevError `SERVICE_SWITCHED_OFF`, `SERVICE_MANAGER_MISSING`, `SERVICE_PATH_UNUSABLE` and
 *   `SERVICE_FILE_FOREIGN` with nothing written; `SERVICE_FILE_UNWRITABLE`, `SERVICE_MANAGER_FAILED`
 */
export async function installService(options: InstallServiceOptions): Promise<ServiceResult> {
  const { around, paths, manager, dryRun, builtIn } = options;
  assertWanted(around);
  const reach = await manager.reach();
  if (reach.is === 'missing') throw managerMissing(manager, paths);
  const wanted = serviceFiles(around, paths);
  const files = planServiceFiles(paths, wanted);
  const result: ServiceResult = { manager: manager.name, changed: false, armed: false, files, next: [] };
  if (dryRun) return { ...result, wanted };
  assertNoneRefused(files);
  const standing = reach.is === 'here' ? await manager.standing() : undefined;
  if (standing === 'off') await options.makeWay();
  installPrograms({ paths, builtIn, searchPath: around.env.PATH ?? '', ...options.programs });
  const changed = writeServiceFiles(paths, path.resolve(paths.socket), wanted);
  if (reach.is === 'unreachable') {
    return { ...result, changed, next: manager.byHand.arm, unreachable: reach.why };
  }
  if (changed && standing !== 'off') await manager.stop();
  if (changed || standing === 'off') await manager.arm();
  return { ...result, changed, armed: true };
}

/**
 * Takes out again what {@link installService} put there, and nothing else; a daemon that the manager keeps is stopped.
 *
 * @throws OmniDevError `SERVICE_FILE_FOREIGN` with nothing changed; `SERVICE_FILE_UNWRITABLE`, `SERVICE_MANAGER_FAILED`
 */
export async function uninstallService(options: ServiceOptions): Promise<ServiceResult> {
  const { around, paths, manager, dryRun } = options;
  const present = removableServiceFiles(paths, serviceFilesOrNone(around, paths));
  const files = present.map((file) => ({ file, change: 'remove' as const }));
  const result: ServiceResult = { manager: manager.name, changed: false, armed: false, files, next: [] };
  if (dryRun) return result;
  if (present.length === 0) {
    removeServiceFiles(paths, []);
    return result;
  }
  const reach = await manager.reach();
  const isHere = reach.is === 'here';
  if (isHere && (await manager.standing()) !== 'off') await manager.stop();
  removeServiceFiles(paths, present);
  if (isHere) await manager.forget();
  if (reach.is !== 'unreachable') return { ...result, changed: true };
  const next = [...manager.byHand.stop, ...manager.byHand.forget];
  return { ...result, changed: true, next, unreachable: reach.why };
}

function assertWanted(around: Surroundings): void {
  if (!isSystemdSwitchedOff(around)) return;
  throw new OmniDevError(
    'SERVICE_SWITCHED_OFF',
    'OMNI_DEV_DAEMON_DISABLE_SYSTEMD is set, so nothing was installed. Unset it and run the command again.',
  );
}

function managerMissing({ name }: ServiceManager, { commandShim }: Paths): OmniDevError {
  const command = `${quoteWhereNeeded(commandShim)} daemon run`;
  return new OmniDevError(
    'SERVICE_MANAGER_MISSING',
    `there is no ${name} on this system, so nothing was installed. Commands and wrappers start the daemon when they ` +
      `need it; to have it always, let your own service manager run: ${command}`,
  );
}
