import { renameSync, unlinkSync } from 'node:fs';
import net from 'node:net';
import { OmniDevError, systemErrorCode } from '../../contract/errors.ts';
import { socketPathProblem } from '../../contract/paths.ts';
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts';
import {
  adoptSocket,
  type Bound,
  bindSocket,
  type ListenerOptions,
  lstatOrUndefined,
} from './socket-listener.ts';

/** How long a daemon that is just starting or stopping is waited for. */
const HANDOVER_MS = 7_000;
const HANDOVER_POLL_MS = 50;
/** How long one is waited for whose path the service manager took: it looks at its path every few seconds. */
const REPLACED_MS = 20_000;

export interface SocketClaimOptions extends ListenerOptions {
  uid: number;
  handoverMs?: number;
  /** A listening socket that a service manager handed over, to serve in place of one of our own. */
  descriptor?: number;
}

/** The control socket while this process owns it. */
export class SocketClaim {
  readonly #options: SocketClaimOptions;
  readonly #lock: InstanceLock;
  #bound: Bound;

  private constructor(options: SocketClaimOptions, lock: InstanceLock, bound: Bound) {
    this.#options = options;
    this.#lock = lock;
    this.#bound = bound;
  }

  /**
   * Becomes the one daemon on the socket, or fails. What a dead daemon left is replaced, a file that is no socket is
   * moved aside, a living owner, however busy, is left alone. A socket that was handed over is served as it is.
   *
   * @throws OmniDevError SOCKET_PATH_TOO_LONG, DAEMON_RUNNING, SOCKET_UNUSABLE
   */
  static async acquire(options: SocketClaimOptions): Promise<SocketClaim> {
    const problem = socketPathProblem(options.socket);
    if (problem !== undefined) throw new OmniDevError('SOCKET_PATH_TOO_LONG', problem);
    const lock = await waitForLock(options);
    try {
      return new SocketClaim(options, lock, await boundSocket(options));
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Whether the path still leads to this process. `lost`: somebody removed it; `foreign`: somebody replaced it. */
  standing(): 'ours' | 'lost' | 'foreign' {
    const found = lstatOrUndefined(this.#options.socket);
    if (found === undefined) return 'lost';
    const { identity } = this.#bound;
    return found.ino === identity?.ino && found.dev === identity.dev ? 'ours' : 'foreign';
  }

  /** Who made the socket: the file of a manager is never removed by us. */
  get madeBy(): Bound['madeBy'] {
    return this.#bound.madeBy;
  }

  /** Binds the path anew after it was lost, a manager's too; connections already open stay. */
  async rebind(): Promise<void> {
    const bound = await bindSocket(this.#options);
    this.#bound.listener.close();
    this.#bound = bound;
  }

  /** Refuses new connections, removes the socket if we made it and it is still there, and lets the next daemon start. */
  release(): void {
    this.#bound.listener.close();
    if (this.#bound.madeBy === 'us' && this.standing() === 'ours') unlinkSync(this.#options.socket);
    this.#lock.release();
  }
}

async function boundSocket(options: SocketClaimOptions): Promise<Bound> {
  if (options.descriptor !== undefined) return adoptSocket(options, options.descriptor);
  await clearPath(options);
  return bindSocket(options);
}

/** The contract's words for a socket that somebody serves already. */
export function alreadyRunning(socket: string): OmniDevError {
  return new OmniDevError(
    'DAEMON_RUNNING',
    `a daemon is already running (socket ${socket}); use \`omni-dev daemon status\` to see it or ` +
      '`omni-dev daemon stop` to stop it',
  );
}

/**
 * Takes the lock. Its owner serves, or is about to start or stop: only the latter is waited for. With a socket that was
 * handed over nobody else can be serving: an owner that was there before the manager bound the path is about to stop.
 */
async function waitForLock(options: SocketClaimOptions): Promise<InstanceLock> {
  const isHandedOver = options.descriptor !== undefined;
  const deadline = performance.now() + (options.handoverMs ?? (isHandedOver ? REPLACED_MS : HANDOVER_MS));
  for (;;) {
    const lock = await takeInstanceLock(options.socket, options.uid);
    if (lock !== undefined) return lock;
    if (!isHandedOver && (await probe(options.socket)) === 'alive') throw alreadyRunning(options.socket);
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
      if (code === 'ENOENT' || code === 'ENOTDIR') resolve('absent');
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
