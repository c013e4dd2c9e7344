import path from 'node:path';
import { type Paths, SOCKET_PATH_LIMIT_BYTES, socketPathProblem } from '../../contract/paths.ts';
import { type FileFacts, octal } from './file-facts.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

export interface SocketFacts {
  paths: Paths;
  uid: number;
  socket: FileFacts;
  directory: FileFacts;
  /** Where the directory is missing: the folder above it that lets nobody make it. */
  blockedBy?: string | undefined;
}

const GROUP_OR_OTHERS = 0o077;

/** Judges the control socket, its path's length and its directory: other users must not reach it. */
export function socketFindings(facts: SocketFacts): Finding[] {
  return [pathFinding(facts.paths), directoryFinding(facts), socketFinding(facts)];
}

function pathFinding({ socket, socketIsFallback }: Paths): Finding {
  const tooLong = socketPathProblem(socket);
  if (tooLong !== undefined) return problem('socket-path', tooLong, 'pass a shorter path with --socket');
  const length = `${Buffer.byteLength(socket)} of ${SOCKET_PATH_LIMIT_BYTES - 1} bytes`;
  if (!socketIsFallback) return ok('socket-path', `${socket} (${length})`);
  return ok('socket-path', `${socket} (${length}; the default path is too long, this short one stands in)`);
}

function directoryFinding({ directory, paths, uid, blockedBy }: SocketFacts): Finding {
  const check = 'socket-directory';
  const where = path.dirname(paths.socket);
  if (directory.kind === 'missing' && blockedBy !== undefined) {
    return problem(
      check,
      `${where} cannot be made: ${blockedBy} is not writable to you`,
      `make ${blockedBy} writable to you, or pass another path with --socket`,
    );
  }
  if (directory.kind === 'missing') return ok(check, `${where} is not there yet; the daemon creates it`);
  if (directory.kind === 'unreadable') {
    return problem(check, `${where} cannot be looked at: ${directory.code}`, `make ${where} readable to you`);
  }
  if (directory.kind !== 'directory') {
    return problem(check, `${where} is a ${directory.kind}, not a directory`, `move ${where} away`);
  }
  if (directory.uid === 0 && directory.sticky) {
    return ok(check, `${where} is shared, but only you may replace your socket in it`);
  }
  if (directory.uid !== uid) {
    return problem(
      check,
      `${where} belongs to user ${directory.uid}`,
      'pass a path of your own with --socket',
    );
  }
  if ((directory.mode & GROUP_OR_OTHERS) !== 0) {
    return warning(check, `${where} is open to others (${octal(directory.mode)})`, `chmod 700 '${where}'`);
  }
  return ok(check, `${where} is yours alone (${octal(directory.mode)})`);
}

function socketFinding({ socket, paths, uid }: SocketFacts): Finding {
  const check = 'socket';
  const where = paths.socket;
  if (socket.kind === 'missing') return ok(check, 'no socket: no daemon listens');
  if (socket.kind === 'unreadable') {
    return problem(check, `${where} cannot be looked at: ${socket.code}`, 'see the finding on its directory');
  }
  if (socket.kind !== 'socket') {
    return warning(
      check,
      `${where} is a ${socket.kind}, not a socket; a starting daemon moves it aside`,
      `move ${where} away`,
    );
  }
  if (socket.uid !== uid) {
    return problem(check, `${where} belongs to user ${socket.uid}`, 'pass a path of your own with --socket');
  }
  if ((socket.mode & GROUP_OR_OTHERS) !== 0) {
    return problem(check, `${where} is open to others (${octal(socket.mode)})`, 'omni-dev daemon restart');
  }
  return ok(check, `${where} is yours alone (${octal(socket.mode)})`);
}
