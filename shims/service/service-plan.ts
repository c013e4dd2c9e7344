import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import { type Paths, resolvePaths, type Surroundings } from '../../contract/paths.ts';

/** What a service definition has to know. All paths are absolute. */
export interface ServiceTargets {
  /** The command shim: its path never changes, and it finds a Node and the programs whatever is upgraded or removed. */
  command: string;
  socket: string;
  /** True for the default socket, whose path the daemon computes by itself. */
  isDefaultSocket: boolean;
  log: string;
  /** Variables that say where things are, which a service manager does not have from the user's shell. */
  environment: Readonly<Record<string, string>>;
}

/**
 * Variables that move what the daemon reads. Those alone: a log level or a debugger's port of the shell that happens to
 * install must not become the daemon's for good.
 */
const LOCATIONS = [
  'XDG_DATA_HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'PI_CODING_AGENT_DIR',
  'PI_CODING_AGENT_SESSION_DIR',
  'OMNI_DEV_CLAUDE_PROJECTS_DIR',
];

/**
 * What a service of this user has to know.
 *
 * @throws OmniDevError `SERVICE_PATH_UNUSABLE` when a path or variable cannot be written into a service definition
 */
export function serviceTargets(around: Surroundings, paths: Paths): ServiceTargets {
  const environment: Record<string, string> = {};
  for (const name of LOCATIONS) {
    const value = around.env[name];
    if (value !== undefined && value !== '') environment[name] = value;
  }
  const socket = path.resolve(paths.socket);
  const targets: ServiceTargets = {
    command: paths.commandShim,
    socket,
    isDefaultSocket: socket === resolvePaths(around).socket,
    log: path.resolve(paths.log),
    environment,
  };
  for (const text of [targets.command, socket, targets.log, ...Object.values(environment)]) assertPlain(text);
  return targets;
}

/** The daemon's own arguments. It logs to its file, which `daemon logs` reads, whoever starts it. */
export function daemonArguments({ command, socket, isDefaultSocket, log }: ServiceTargets): string[] {
  const named = isDefaultSocket ? [] : ['--socket', socket];
  return ['/bin/sh', command, 'daemon', 'run', ...named, '--log-file', log];
}

/** Control characters would end the line they stand in, and a blank or a backslash at the end of one is taken off. */
function assertPlain(text: string): void {
  if (!/[\u0000-\u001f\u007f]|[\s\\]$/.test(text)) return;
  throw new OmniDevError(
    'SERVICE_PATH_UNUSABLE',
    `${JSON.stringify(text)} has a character that a service definition cannot hold. Use a path without it, with ` +
      '--socket or the variable that it came from.',
  );
}
