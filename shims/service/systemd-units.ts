import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';
import { daemonArguments, type ServiceTargets } from './service-plan.ts';

/** Names of the user units; the sessions service's contract fixes them. */
export const SOCKET_UNIT = 'omni-dev-daemon.socket';
export const SERVICE_UNIT = 'omni-dev-daemon.service';

const WRITTEN = '# Written by omni-dev. Put changes into a drop-in (systemctl --user edit), not in here.';

/** Folder of the user's own units. */
export function systemdUnitDir({ env, home }: Pick<Surroundings, 'env' | 'home'>): string {
  const xdg = env.XDG_CONFIG_HOME;
  const config = xdg !== undefined && path.posix.isAbsolute(xdg) ? xdg : path.posix.join(home, '.config');
  return path.posix.join(config, 'systemd', 'user');
}

/** The unit that holds the socket from login on. Its first connection starts the daemon. */
export function socketUnitText({ socket }: ServiceTargets): string {
  return `${WRITTEN}
[Unit]
Description=omni-dev: socket of the daemon that knows the agent sessions

[Socket]
ListenStream=${percentDoubled(socket)}
SocketMode=0600
DirectoryMode=0700
RemoveOnStop=yes

[Install]
WantedBy=sockets.target
`;
}

/** The daemon's unit. It has no Restart: the next connection to the socket starts it again. */
export function serviceUnitText(targets: ServiceTargets): string {
  const environment = Object.entries(targets.environment)
    .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`)
    .join('');
  return `${WRITTEN}
[Unit]
Description=omni-dev: daemon that knows the agent sessions
Requires=${SOCKET_UNIT}
After=${SOCKET_UNIT}

[Service]
ExecStart=${daemonArguments(targets).map(commandWord).join(' ')}
UnsetEnvironment=NODE_OPTIONS
StandardError=append:${percentDoubled(targets.log)}
${environment}`;
}

/** Path of the link by which the socket unit is enabled, and what it leads to. */
export function enablingLink(unitDir: string): { file: string; target: string } {
  const file = path.posix.join(unitDir, 'sockets.target.wants', SOCKET_UNIT);
  return { file, target: path.posix.join(unitDir, SOCKET_UNIT) };
}

/** A word of ExecStart: as it is where that is safe. In it a dollar sign begins a variable. */
function commandWord(word: string): string {
  return /^[A-Za-z0-9_@+=:,./-]+$/.test(word) ? word : quoted(word).replaceAll('$', '$$$$');
}

function quoted(text: string): string {
  return `"${percentDoubled(text).replace(/["\\]/g, '\\$&')}"`;
}

/** A percent sign begins a specifier everywhere in a unit. */
function percentDoubled(text: string): string {
  return text.replaceAll('%', '%%');
}

/** Where the manager's own socket is: the runtime directory of the user, also where the shell does not name it. */
export function userRuntimeDir({ env, uid }: Surroundings): string {
  return env.XDG_RUNTIME_DIR || `/run/user/${uid}`;
}
