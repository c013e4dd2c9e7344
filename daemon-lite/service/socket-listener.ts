import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, type Stats } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { OmniDevError, systemErrorCode } from '../../contract/errors.ts';
import type { TargetLog } from '../diagnostics/log.ts';
import { realSocketPath } from './instance-lock.ts';
import { boundPath } from './socket-name.ts';

const OWNER_ONLY_UMASK = 0o177;
const OWNER_ONLY = 0o600;
const GROUP_OR_OTHERS = 0o077;

/** Most connections at once; each subscriber, window and running wrapper call is one. */
const MOST_CONNECTIONS = 1_024;

export interface ListenerOptions {
  socket: string;
  log: TargetLog;
  onConnection(connection: net.Socket): void;
}

/** A listener, and the file at the socket's path that leads to it. */
export interface Bound {
  listener: net.Server;
  /** Absent when the path led nowhere. */
  identity: Stats | undefined;
  /** Who made the file, and so removes it. */
  madeBy: 'us' | 'manager';
}

/**
 * Binds beside the path and renames into place. So the socket at the path is owner-only and listening from its first
 * moment, a dead one is replaced without a gap, and Node, which unlinks the name it bound when the listener closes,
 * never removes a socket that by then is somebody else's.
 *
 * @throws OmniDevError SOCKET_UNUSABLE
 */
export async function bindSocket(options: ListenerOptions): Promise<Bound> {
  const listener = newListener(options);
  const temporary = temporaryBeside(options.socket);
  try {
    await listening(listener, () => listenOwnerOnly(listener, temporary));
    chmodSync(temporary, OWNER_ONLY);
    renameSync(temporary, options.socket);
    return { listener, identity: lstatSync(options.socket), madeBy: 'us' };
  } catch (error) {
    listener.close();
    throw new OmniDevError(
      'SOCKET_UNUSABLE',
      `cannot listen on socket ${options.socket}: ${systemErrorCode(error) ?? 'unknown error'}${hintFor(error)}`,
      { cause: error },
    );
  }
}

/**
 * Serves a socket that a service manager bound and handed over as a descriptor. Its file is the manager's: it is made
 * owner-only where it is not, and never removed.
 *
 * @throws OmniDevError SOCKET_UNUSABLE when the descriptor is no listening socket, or that of another path
 */
export async function adoptSocket(options: ListenerOptions, descriptor: number): Promise<Bound> {
  const { socket, log } = options;
  const bound = boundPath(descriptor);
  if (bound !== undefined && !isSamePath(bound, socket)) {
    throw new OmniDevError(
      'SOCKET_UNUSABLE',
      `the service manager handed over the socket ${bound}, but this daemon serves ${socket}; ` +
        'run `omni-dev daemon install` again',
    );
  }
  const listener = newListener(options);
  try {
    await listening(listener, () => listener.listen({ fd: descriptor }));
  } catch (error) {
    listener.close();
    const reason = systemErrorCode(error) ?? 'unknown error';
    throw new OmniDevError(
      'SOCKET_UNUSABLE',
      `what the service manager handed over is no listening socket: ${reason}; run \`omni-dev daemon install\` again`,
      { cause: error },
    );
  }
  const identity = lstatOrUndefined(socket);
  if (identity !== undefined && (identity.mode & GROUP_OR_OTHERS) !== 0) {
    log.warn('socket_was_open_to_others', { socket });
    chmodSync(socket, OWNER_ONLY);
  }
  return { listener, identity, madeBy: 'manager' };
}

/** Looks at a path without following a link. */
export function lstatOrUndefined(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function newListener(options: ListenerOptions): net.Server {
  const listener = net.createServer({ allowHalfOpen: true, noDelay: false }, (connection) =>
    options.onConnection(connection),
  );
  listener.maxConnections = MOST_CONNECTIONS;
  listener.on('listening', () =>
    listener.on('error', (error) =>
      options.log.error('listener_failed', { code: systemErrorCode(error) ?? 'unknown' }),
    ),
  );
  return listener;
}

function listening(listener: net.Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.once('listening', () => {
      listener.off('error', reject);
      resolve();
    });
    listen();
  });
}

function listenOwnerOnly(listener: net.Server, socket: string): void {
  // Node binds within the call, so the mask of the process is different for this one call only.
  const before = process.umask(OWNER_ONLY_UMASK);
  try {
    listener.listen(socket);
  } finally {
    process.umask(before);
  }
}

/** Two spellings of a path, one of which may go through links. */
function isSamePath(one: string, other: string): boolean {
  try {
    return one === other || realSocketPath(one) === realSocketPath(other);
  } catch {
    return false;
  }
}

/** Some file systems hold no sockets: a Windows drive under WSL, some network shares. */
function hintFor(error: unknown): string {
  const code = systemErrorCode(error);
  const isUnsupported = code === 'ENOTSUP' || code === 'EOPNOTSUPP';
  return isUnsupported ? '; this file system holds no sockets, pass a --socket path on a native one' : '';
}

/** A free name in the same directory that is not longer than the socket's own, which is known to fit. */
function temporaryBeside(socket: string): string {
  const length = Math.min(Math.max(path.basename(socket).length, 1), 16);
  for (;;) {
    const name = randomBytes(length).toString('hex').slice(0, length);
    const candidate = path.join(path.dirname(socket), name);
    if (lstatOrUndefined(candidate) === undefined) return candidate;
  }
}
