import { lstatSync, mkdirSync, mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serverSocketDir } from '../../agents/codex/control-socket.ts';
import { builtinModule } from '../../contract/builtin-module.ts';

const SOCKET_NAME = /^codex-wrap-(\d+)\.sock$/;

/** Name of the socket path of the wrapper with this pid. */
export function socketName(pid: number): string {
  return `codex-wrap-${pid}.sock`;
}

/** The pid in a socket path's name, or undefined when it is not one of ours. */
export function wrapperPidOf(name: string): number | undefined {
  const pid = SOCKET_NAME.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * The directory for the private server's socket path: ours, closed to others. When the runtime directory cannot be
 * used, a throw-away one.
 *
 * @throws a Node system error when neither can be made.
 */
export function socketDirectory(runtimeDir: string, uid: number): string {
  try {
    mkdirSync(runtimeDir, { recursive: true, mode: 0o700 });
    const found = lstatSync(runtimeDir);
    if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return runtimeDir;
  } catch {
    // Read-only home, full disk: the server needs no more than a place for one link.
  }
  return mkdtempSync(path.join(os.tmpdir(), 'omni-dev-codex-'));
}

/** node:crypto is loaded here alone: a server's start would wait for it. */
function hashOf(text: string): string {
  const { createHash } = builtinModule('node:crypto') as typeof import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}

/** True for a socket path that is taken, be it by a link to nowhere. */
export function isThere(socketPath: string): boolean {
  return lstatSync(socketPath, { throwIfNoEntry: false }) !== undefined;
}

/** The socket that a server makes for a socket path: the path itself becomes a link to it. */
export function socketBehind(socketPath: string, uid: number): string {
  return path.join(serverSocketDir(uid), hashOf(socketPath));
}

/**
 * Removes everything that a server can leave behind for a socket path: the link, the socket, its lock. A server that
 * stopped cleanly has done so itself.
 */
export function removeSocketFiles(socketPath: string, uid: number): void {
  const socket = socketBehind(socketPath, uid);
  for (const file of [socketPath, socket, `${socket}.lock`]) {
    try {
      unlinkSync(file);
    } catch {
      // Not there.
    }
  }
}

/** Removes the directory of the socket when it is a throw-away one. */
export function removeSocketDirectory(directory: string, runtimeDir: string): void {
  if (directory !== runtimeDir) rmSync(directory, { recursive: true, force: true });
}
