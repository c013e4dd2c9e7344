import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { sendRequest, TransportError } from '../../contract/client.ts';
import { systemErrorCode } from '../../contract/errors.ts';

/** True when OMNI_DEV_NO_AUTOSTART says that nothing of ours starts a daemon by itself. */
export function autostartIsOff(env: Readonly<Record<string, string | undefined>>): boolean {
  const value = env.OMNI_DEV_NO_AUTOSTART?.trim().toLowerCase();
  return value !== undefined && value !== '' && value !== '0' && value !== 'false' && value !== 'no';
}

/** True when nobody listens on the socket. A daemon that is slow, busy or refuses us is there. */
export function isAbsence(error: unknown): boolean {
  if (!(error instanceof TransportError) || error.code !== 'DAEMON_UNREACHABLE') return false;
  const code = systemErrorCode(error.cause);
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}

/**
 * Sends requests as the contract's client does, and starts a daemon the first time nobody listens. The request that
 * found nobody still fails: its sender tries again anyway.
 *
 * @param start starts a daemon and returns at once; called once at most
 */
export function sendAndStartWhenAbsent(
  start: () => void,
  send: typeof sendRequest = sendRequest,
): typeof send {
  let tried = false;
  return async (socket, request, options) => {
    try {
      return await send(socket, request, options);
    } catch (error) {
      if (!tried && isAbsence(error)) {
        tried = true;
        start();
      }
      throw error;
    }
  };
}

/** Starts the daemon that lies beside this program, detached from it in every way. Failures are silent. */
export function startDaemon(programDir: string, socketOverride: string | undefined): void {
  const program = path.join(programDir, 'daemon.cjs');
  if (!existsSync(program)) return;
  const socket = socketOverride === undefined ? [] : ['--socket', path.resolve(socketOverride)];
  try {
    const daemon = spawn(process.execPath, [program, 'run', ...socket], {
      cwd: '/',
      detached: true,
      stdio: 'ignore',
    });
    daemon.on('error', () => {});
    daemon.unref();
  } catch {
    // Without a daemon nobody sees the state; the agent runs all the same.
  }
}
