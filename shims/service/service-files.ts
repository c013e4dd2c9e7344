import { OmniDevError } from '../../contract/errors.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { agentFile, agentText } from './launchd-agent.ts';
import { serviceTargets } from './service-plan.ts';
import {
  enablingLink,
  SERVICE_UNIT,
  SOCKET_UNIT,
  serviceUnitText,
  socketUnitText,
  systemdUnitDir,
} from './systemd-units.ts';

/** A file of a service definition: its text, or what it is a link to. */
export type ServiceFile = { file: string; text: string } | { file: string; linkTo: string };

/** Everything that makes the service manager of this platform keep the daemon, in the order in which it is written. */
export function serviceFiles(around: Surroundings, paths: Paths): ServiceFile[] {
  const targets = serviceTargets(around, paths);
  if (around.platform === 'darwin') return [{ file: agentFile(around.home), text: agentText(targets) }];
  const unitDir = systemdUnitDir(around);
  const link = enablingLink(unitDir);
  return [
    { file: `${unitDir}/${SERVICE_UNIT}`, text: serviceUnitText(targets) },
    { file: `${unitDir}/${SOCKET_UNIT}`, text: socketUnitText(targets) },
    { file: link.file, linkTo: link.target },
  ];
}

/** The same, or nothing where this environment cannot be written into a definition: so none was. */
export function serviceFilesOrNone(around: Surroundings, paths: Paths): ServiceFile[] {
  try {
    return serviceFiles(around, paths);
  } catch (error) {
    if (error instanceof OmniDevError) return [];
    throw error;
  }
}
