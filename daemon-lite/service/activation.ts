/** The first descriptor that a service manager hands over (`sd_listen_fds`). */
const FIRST_DESCRIPTOR = 3;

const VARIABLES = ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'];

/** What a service manager handed over at our start. */
export interface Activation {
  /** A listening socket to serve in place of one of our own. */
  descriptor?: number;
  /** The process that a handed-over socket was meant for, when that is not us. */
  meantFor?: string;
}

/**
 * Reads the variables of socket activation: descriptor 3 is ours when LISTEN_PID is our pid and LISTEN_FDS is 1 or more.
 * Linux only: launchd hands its sockets over by a call that Node does not have.
 */
export function readActivation(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
  platform: NodeJS.Platform,
): Activation {
  const { LISTEN_PID: listenPid, LISTEN_FDS: count } = env;
  if (platform !== 'linux' || listenPid === undefined || !/^[1-9]\d*$/.test(count ?? '')) return {};
  return listenPid === String(pid) ? { descriptor: FIRST_DESCRIPTOR } : { meantFor: listenPid };
}

/**
 * Reads the variables of this process and takes them out of its environment: they are not for its children. (Node has
 * set close-on-exec on every descriptor that it was started with.)
 */
export function takeActivation(): Activation {
  const activation = readActivation(process.env, process.pid, process.platform);
  for (const name of VARIABLES) delete process.env[name];
  return activation;
}
