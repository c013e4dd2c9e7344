import { lstatSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../../contract/errors.ts';

/** Where to connect, or why one must not. `absent` means that nobody listens there: not a problem, only no server. */
export type ControlSocket =
  | { kind: 'socket'; path: string }
  | { kind: 'absent' }
  | { kind: 'unsafe'; reason: string };

/**
 * Finds the real path behind an app-server's socket path. Codex makes that path a symlink into `/tmp/codex-daemon-<uid>`,
 * a name that another user could have taken first: so the directory and the socket must be ours and closed to others.
 * The real path is also the only one Node can connect to, since a link's path may be longer than a socket address.
 */
export function resolveControlSocket(socketPath: string, uid: number): ControlSocket {
  let real: string;
  let socket: Stats;
  let directory: Stats;
  try {
    real = realpathSync(socketPath);
    socket = lstatSync(real);
    directory = lstatSync(path.dirname(real));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    return { kind: 'unsafe', reason: `${socketPath}: ${code ?? 'cannot be read'}` };
  }
  if (!socket.isSocket()) return { kind: 'unsafe', reason: `${real} is not a socket` };
  if (socket.uid !== uid) return { kind: 'unsafe', reason: `${real} belongs to user ${socket.uid}` };
  if (directory.uid !== uid) {
    return { kind: 'unsafe', reason: `${path.dirname(real)} belongs to user ${directory.uid}` };
  }
  if ((directory.mode & 0o022) !== 0) {
    return { kind: 'unsafe', reason: `${path.dirname(real)} can be written by others` };
  }
  return { kind: 'socket', path: real };
}

/** The directory that app-servers put their sockets in, for the user `uid`. */
export function serverSocketDir(uid: number): string {
  return `/tmp/codex-daemon-${uid}`;
}
