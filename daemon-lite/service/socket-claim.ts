import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { OmniDevError, systemErrorCode } from '../../contract/errors.ts';
import { socketPathProblem } from '../../contract/paths.ts';
import type { TargetLog } from '../diagnostics/log.ts';
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts';

const OWNER_ONLY_UMASK = 0o177;
const OWNER_ONLY = 0o600;

/** How long a daemon that is just starting or stopping is waited for. */
const HANDOVER_MS = 7_000;
const HANDOVER_POLL_MS = 50;

/** Most connections at once; each subscriber, window and running wrapper call is one. */
const MOST_CONNECTIONS = 1_024;

export interface SocketClaimOptions {
  socket: string;
  uid: number;
  log: TargetLog;
  onConnection(connection: net.Socket): void;
  handoverMs?: number;
}

/** The control socket while this process owns it. */
export class SocketClaim {
  readonly #options: SocketClaimOptions;
  readonly #lock: InstanceLock;
  #listener: net.Server;
  #identity: Stats;

  private constructor(options: SocketClaimOptions, lock: InstanceLock, bound: Bound) {
    this.#options = options;
    this.#lock = lock;
    this.#listener = bound.listener;
    this.#identity = bound.identity;
  }

  /**
   * Becomes the one daemon on the socket, or fails. What a dead daemon left is replaced, a file that is no socket is
   * moved aside, a living owner, however busy, is left alone.
   *
   * @throws OmniDevError SOCKET_PATH_TOO_LONG, DAEMON_RUNNING, SOCKET_UNUSABLE
   */
  static async acquire(options: SocketClaimOptions): Promise<SocketClaim> {
    const problem = socketPathProblem(options.socket);
    if (problem !== undefined) throw new OmniDevError('SOCKET_PATH_TOO_LONG', problem);
    const lock = await waitForLock(options);
    try {
      await clearPath(options);
      return new SocketClaim(options, lock, await bind(options));
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Whether the path still leads to this process. `lost`: somebody removed it; `foreign`: somebody replaced it. */
  standing(): 'ours' | 'lost' | 'foreign' {
    const found = lstatOrUndefined(this.#options.socket);
    if (found === undefined) return 'lost';
    return found.ino === this.#identity.ino && found.dev === this.#identity.dev ? 'ours' : 'foreign';
  }

  /** Binds the path anew after it was lost; connections already open stay. */
  async rebind(): Promise<void> {
    const bound = await bind(this.#options);
    this.#listener.close();
    this.#listener = bound.listener;
    this.#identity = bound.identity;
  }

  /** Refuses new connections, removes the socket if it is still ours, and lets the next daemon start. */
  release(): void {
    this.#listener.close();
    if (this.standing() === 'ours') unlinkSync(this.#options.socket);
    this.#lock.release();
  }
}

interface Bound {
  listener: net.Server;
  identity: Stats;
}

/** The contract's words for a socket that somebody serves already. */
export function alreadyRunning(socket: string): OmniDevError {
  return new OmniDevError(
    'DAEMON_RUNNING',
    `a daemon is already running (socket ${socket}); use \`omni-dev daemon status\` to see it or ` +
      '`omni-dev daemon stop` to stop it',
  );
}

/** Takes the lock. Its owner serves, or is about to start or stop: only the latter is waited for. */
async function waitForLock(options: SocketClaimOptions): Promise<InstanceLock> {
  const deadline = performance.now() + (options.handoverMs ?? HANDOVER_MS);
  for (;;) {
    const lock = await takeInstanceLock(options.socket, options.uid);
    if (lock !== undefined) return lock;
    if ((await probe(options.socket)) === 'alive') throw alreadyRunning(options.socket);
    if (performance.now() > deadline) {
      throw new OmniDevError(
        'DAEMON_BUSY',
        `another process holds the lock of socket ${options.socket} without serving it; try again`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, HANDOVER_POLL_MS));
  }
}

/**
 * Asks the kernel whether anybody listens at a path. Only a refusal proves death: a full queue or anything unknown is
 * taken for life.
 */
export function probe(socket: string): Promise<'alive' | 'dead' | 'absent'> {
  return new Promise((resolve) => {
    const connection = net.createConnection({ path: socket });
    connection.once('connect', () => {
      connection.destroy();
      resolve('alive');
    });
    connection.once('error', (error) => {
      const code = systemErrorCode(error);
      if (code === 'ENOENT') resolve('absent');
      else resolve(code === 'ECONNREFUSED' || code === 'ENOTSOCK' ? 'dead' : 'alive');
    });
  });
}

/** Makes the path free: only called by the owner of the lock. */
async function clearPath(options: SocketClaimOptions): Promise<void> {
  const { socket, uid, log } = options;
  const found = lstatOrUndefined(socket);
  if (found === undefined) return;
  if (!found.isSocket()) {
    const aside = `${socket}.aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    renameSync(socket, aside);
    log.warn('socket_path_moved_aside', { socket, aside });
    return;
  }
  if (found.uid !== uid)
    throw new OmniDevError('SOCKET_UNUSABLE', `the socket ${socket} belongs to user ${found.uid}`);
  // Somebody without our lock may serve here: an older system's daemon, or one in another network namespace.
  if ((await probe(socket)) === 'alive') throw alreadyRunning(socket);
  log.info('stale_socket_replaced', { socket });
}

/**
 * Binds beside the path and renames into place. So the socket at the path is owner-only and listening from its first
 * moment, a dead one is replaced without a gap, and Node, which unlinks the name it bound when the listener closes,
 * never removes a socket that by then is somebody else's.
 */
async function bind(options: SocketClaimOptions): Promise<Bound> {
  const listener = net.createServer({ allowHalfOpen: true, noDelay: false }, (connection) =>
    options.onConnection(connection),
  );
  listener.maxConnections = MOST_CONNECTIONS;
  const temporary = temporaryBeside(options.socket);
  try {
    await listenOwnerOnly(listener, temporary);
    chmodSync(temporary, OWNER_ONLY);
    renameSync(temporary, options.socket);
    listener.on('error', (error) =>
      options.log.error('listener_failed', { code: systemErrorCode(error) ?? 'unknown' }),
    );
    return { listener, identity: lstatSync(options.socket) };
  } catch (error) {
    listener.close();
    throw new OmniDevError(
      'SOCKET_UNUSABLE',
      `cannot listen on socket ${options.socket}: ${systemErrorCode(error) ?? 'unknown error'}${hintFor(error)}`,
      { cause: error },
    );
  }
}

/** Some file systems hold no sockets: a Windows drive under WSL, some network shares. */
function hintFor(error: unknown): string {
  const code = systemErrorCode(error);
  const isUnsupported = code === 'ENOTSUP' || code === 'EOPNOTSUPP';
  return isUnsupported ? '; this file system holds no sockets, pass a --socket path on a native one' : '';
}

function listenOwnerOnly(listener: net.Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.once('listening', () => {
      listener.off('error', reject);
      resolve();
    });
    // Node binds within the call, so the mask of the process is different for this one call only.
    const before = process.umask(OWNER_ONLY_UMASK);
    try {
      listener.listen(socket);
    } finally {
      process.umask(before);
    }
  });
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

function lstatOrUndefined(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
