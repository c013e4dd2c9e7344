import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest, TransportError } from '../../contract/client.ts';
import { OmniDevError } from '../../contract/errors.ts';
import { socketPathProblem } from '../../contract/paths.ts';
import type { DaemonKeeper } from './keeper.ts';
import { type Launched, type LaunchOptions, launchDaemon } from './launch.ts';
import { tailLog } from './log-tail.ts';
import { probe } from './socket-claim.ts';
import { daemonStatus } from './status.ts';

export interface ControlOptions extends LaunchOptions {
  /** The service manager that keeps the daemon of this socket, if one does. */
  keeper?: DaemonKeeper;
}

/** What a command did, and the line that says so. */
export interface ControlResult<Outcome extends string> {
  outcome: Outcome;
  message: string;
}

const PING_TIMEOUT_MS = 250;
const POLL_MS = 100;
/** How long a started daemon may take until it answers. */
const READY_MS = 5_000;
/** How long a started daemon that is gone again is looked for: another one may have won the start. */
const EXITED_GRACE_MS = 1_000;
/** How long a stopping daemon may take until its socket is free. */
const GONE_MS = 8_000;
/** Lines of the log that go with a failure to start. */
const FAILURE_LINES = 10;

/**
 * Starts a daemon, by the service manager where one keeps it and else in the background, and waits until it answers. A
 * daemon that runs already, answering or not, is left alone.
 *
 * @throws OmniDevError DAEMON_NOT_READY with the last lines of its log; those of {@link launchDaemon} and of the keeper
 */
export async function startDaemon(
  options: ControlOptions,
): Promise<ControlResult<'started' | 'already_running'>> {
  const { paths, keeper } = options;
  const { socket } = paths;
  const problem = socketPathProblem(socket);
  if (problem !== undefined) throw new OmniDevError('SOCKET_PATH_TOO_LONG', problem);
  if (await isRunning(socket, keeper))
    return { outcome: 'already_running', message: `daemon already running (socket ${socket})` };
  const launched = keeper === undefined ? launchDaemon(options) : undefined;
  await keeper?.start();
  if (!(await waitUntilReady(socket, launched))) throw await notReady(options);
  return { outcome: 'started', message: `daemon started (socket ${socket})` };
}

/** A connection to an armed socket would start the daemon, so its keeper is asked first. */
async function isRunning(socket: string, keeper: DaemonKeeper | undefined): Promise<boolean> {
  const standing = (await keeper?.standing()) ?? 'off';
  return standing === 'off' ? (await probe(socket)) === 'alive' : standing === 'running';
}

/**
 * Stops the daemon, and a service manager that keeps it, so that it stays stopped. Resolves when the daemon has taken the
 * order; it may still finish what it serves.
 */
export async function stopDaemon(
  options: Pick<ControlOptions, 'paths' | 'keeper'>,
): Promise<ControlResult<'stopping' | 'not_running'>> {
  const standing = (await options.keeper?.standing()) ?? 'off';
  if (standing !== 'off') {
    await options.keeper?.stop();
    if (standing === 'running') return { outcome: 'stopping', message: 'daemon stopping' };
    return { outcome: 'not_running', message: 'daemon not running' };
  }
  try {
    await sendRequest(options.paths.socket, { op: 'shutdown' });
    return { outcome: 'stopping', message: 'daemon stopping' };
  } catch (error) {
    if (error instanceof TransportError && error.code === 'DAEMON_UNREACHABLE')
      return { outcome: 'not_running', message: 'daemon not running' };
    throw error;
  }
}

/**
 * Stops the daemon if one runs, and starts one that hosts the same services unless others are named.
 *
 * @throws OmniDevError DAEMON_NOT_READY, DAEMON_STILL_RUNNING
 */
export async function restartDaemon(options: ControlOptions): Promise<ControlResult<'restarted'>> {
  const { paths, keeper } = options;
  const { socket } = paths;
  const message = `daemon restarted (socket ${socket})`;
  if (keeper !== undefined && (await keeper.standing()) !== 'off') {
    await keeper.restart();
    if (!(await waitUntilReady(socket))) throw await notReady(options);
    return { outcome: 'restarted', message };
  }
  const before = await daemonStatus(socket);
  if (before.running) {
    await stopDaemon(options);
    await waitUntilGone(socket);
  }
  const hosted = before.running ? before.services.map(({ name }) => name).join(',') : '';
  const services = options.services ?? (hosted === '' ? undefined : hosted);
  await startDaemon({ ...options, ...(services === undefined ? {} : { services }) });
  return { outcome: 'restarted', message };
}

/** True when a daemon answers a ping within 250 ms. */
export async function isAnswering(socket: string): Promise<boolean> {
  return sendRequest(socket, { op: 'ping' }, { timeoutMs: PING_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}

async function waitUntilReady(socket: string, launched?: Launched): Promise<boolean> {
  let deadline = performance.now() + READY_MS;
  void launched?.exited.then(() => {
    deadline = Math.min(deadline, performance.now() + EXITED_GRACE_MS);
  });
  while (performance.now() < deadline) {
    if (await isAnswering(socket)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** Waits until nobody listens on the socket any more. @throws OmniDevError DAEMON_STILL_RUNNING */
export async function waitUntilGone(socket: string): Promise<void> {
  const deadline = performance.now() + GONE_MS;
  while ((await probe(socket)) === 'alive') {
    if (performance.now() > deadline)
      throw new OmniDevError('DAEMON_STILL_RUNNING', `the daemon did not stop (socket ${socket})`);
    await sleep(POLL_MS);
  }
}

async function notReady({ paths, keeper }: ControlOptions): Promise<OmniDevError> {
  const look = keeper === undefined ? '' : `; see: ${keeper.inspect}`;
  let text = `daemon did not become ready within ${READY_MS / 1_000}s (socket ${paths.socket})${look}\n`;
  const write = (lines: string) => {
    text += lines;
  };
  await tailLog({ file: paths.log, lines: FAILURE_LINES, follow: false, write }).catch(() => {});
  return new OmniDevError('DAEMON_NOT_READY', text.trimEnd());
}
