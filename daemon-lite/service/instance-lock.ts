import { createHash } from 'node:crypto';
import { chmodSync, closeSync, constants, openSync, realpathSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { systemErrorCode } from '../../contract/errors.ts';

/** A lock that the kernel gives back when its owner dies, however it dies. */
export interface InstanceLock {
  release(): void;
}

/** `O_EXLOCK` of the BSDs and macOS: open and lock in one call. Node does not name it. */
const O_EXLOCK = 0x20;

/** The socket path as the kernel sees it, so that two spellings of one path share one lock. */
export function realSocketPath(socket: string): string {
  const absolute = path.resolve(socket);
  return path.join(realpathSync(path.dirname(absolute)), path.basename(absolute));
}

/** Name of the lock in Linux' abstract socket namespace, which is all users': hence the user in it. */
export function abstractLockName(realSocket: string, uid: number): string {
  const hash = createHash('sha256').update(realSocket).digest('hex').slice(0, 32);
  return `\0omni-dev-daemon-${uid}-${hash}`;
}

/**
 * Takes the lock that makes a daemon the only one on its socket, or returns undefined when another process has it.
 * Proof by the kernel, never by a reply time: a busy or suspended daemon keeps its lock. Node has no flock, so Linux
 * uses a listening abstract socket and macOS a file opened with an exclusive lock.
 */
export function takeInstanceLock(
  socket: string,
  uid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<InstanceLock | undefined> {
  const real = realSocketPath(socket);
  return platform === 'linux' ? abstractLock(real, uid) : Promise.resolve(fileLock(`${real}.lock`));
}

function abstractLock(realSocket: string, uid: number): Promise<InstanceLock | undefined> {
  return new Promise((resolve, reject) => {
    // Nobody talks to it; who connects is hung up on.
    const holder = net.createServer((connection) => connection.destroy());
    holder.once('error', (error) => {
      if (systemErrorCode(error) === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    holder.listen(abstractLockName(realSocket, uid), () => {
      holder.unref();
      resolve({ release: () => holder.close() });
    });
  });
}

function fileLock(file: string): InstanceLock | undefined {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK;
  try {
    const descriptor = openSync(file, flags, 0o600);
    chmodSync(file, 0o600);
    return { release: () => closeSync(descriptor) };
  } catch (error) {
    if (systemErrorCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}
