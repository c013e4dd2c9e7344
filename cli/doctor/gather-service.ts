import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { readInstalledRecord } from '../../shims/install/installed-record.ts';
import { planServiceFiles } from '../../shims/service/edit-service-files.ts';
import { serviceManager } from '../../shims/service/manager-here.ts';
import { serviceFilesOrNone } from '../../shims/service/service-files.ts';
import { readServiceRecord } from '../../shims/service/service-record.ts';
import type { InstallationFacts } from './installation-findings.ts';
import type { ServiceFacts } from './service-findings.ts';

export async function gatherService(around: Surroundings, paths: Paths): Promise<ServiceFacts | undefined> {
  if (readServiceRecord(paths)?.socket !== path.resolve(paths.socket)) return undefined;
  const manager = serviceManager(around);
  const { is: reach } = await manager.reach();
  const isHere = reach === 'here';
  return {
    manager: manager.name,
    reach,
    standing: isHere ? await manager.standing() : 'off',
    failure: isHere ? await manager.failure() : undefined,
    files: planServiceFiles(paths, serviceFilesOrNone(around, paths)),
    missingCommand: existsSync(paths.commandShim) ? undefined : paths.commandShim,
    inspect: manager.inspect,
  };
}

export function gatherInstallation(paths: Paths): InstallationFacts | undefined {
  const record = readInstalledRecord(paths.bundlesDir);
  if (record === undefined) return undefined;
  const { cli, current } = record;
  return { cli, isThere: existsSync(cli), hasCopy: existsSync(path.join(paths.bundlesDir, current)) };
}
