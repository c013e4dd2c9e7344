import { sendRequest, TransportError } from '../contract/client.ts';
import { OmniDevError } from '../contract/errors.ts';
import type { Reply, Request } from '../contract/messages.ts';
import { type Paths, resolvePaths, socketPathProblem } from '../contract/paths.ts';
import { sanitize } from '../contract/sanitize.ts';
import { isSwitchedOn } from '../contract/switch.ts';
import type { CliContext } from './context.ts';
import { startDaemonFor } from './daemon-start.ts';

/** The options by which every command finds its daemon. */
export interface SocketOptions {
  socket?: string;
  /** False with `--no-start`. */
  start?: boolean;
}

export interface DaemonAccess {
  paths: Paths;
  /** Whether a missing daemon may be started: not with `--no-start`, not for a socket that was named by hand. */
  mayStart: boolean;
}

/**
 * Where the daemon of a command is.
 *
 * @throws OmniDevError SOCKET_PATH_TOO_LONG
 */
export function accessOf(context: CliContext, options: SocketOptions): DaemonAccess {
  const paths = resolvePaths(context.around, options.socket);
  const problem = socketPathProblem(paths.socket);
  if (problem !== undefined) throw new OmniDevError('SOCKET_PATH_TOO_LONG', problem);
  const switchedOff = options.start === false || isSwitchedOn(context.around.env.OMNI_DEV_NO_AUTOSTART);
  return { paths, mayStart: options.socket === undefined && !switchedOff };
}

/**
 * Asks the daemon and returns the reply's payload. Starts a daemon first where none answers and that is allowed.
 *
 * @throws TransportError when there is no daemon or no usable reply, OmniDevError DAEMON_ERROR for an error reply
 */
export async function askDaemon(
  context: CliContext,
  access: DaemonAccess,
  request: Request,
): Promise<unknown> {
  const reply = await requestOrStart(context, access, request);
  if (!reply.ok) {
    throw new OmniDevError('DAEMON_ERROR', `daemon returned an error: ${sanitize(reply.error)}`);
  }
  return reply.payload;
}

/** Makes sure that a daemon answers, as {@link askDaemon} does, for commands that go on to subscribe. */
export async function ensureDaemon(context: CliContext, access: DaemonAccess): Promise<void> {
  await requestOrStart(context, access, { op: 'ping' });
}

async function requestOrStart(context: CliContext, access: DaemonAccess, request: Request): Promise<Reply> {
  try {
    return await sendRequest(access.paths.socket, request);
  } catch (error) {
    if (!access.mayStart || !isUnreachable(error)) throw error;
    await startDaemonFor(context, access.paths);
    return sendRequest(access.paths.socket, request);
  }
}

/** True when nobody listens on the socket (a busy daemon that did not answer in time is one that listens). */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'DAEMON_UNREACHABLE';
}
