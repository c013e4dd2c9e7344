import { sendRequest, TransportError } from '../../contract/client.ts';
import { OmniDevError } from '../../contract/errors.ts';
import { COMMIT, IMPLEMENTATION, VERSION } from '../../contract/version.ts';

/** One service of a running daemon. */
export interface ServiceStatus {
  name: string;
  healthy: boolean;
  summary: string;
  detail?: unknown;
}

/** What is known of the daemon on a socket. */
export type DaemonStatus =
  | { running: false }
  | {
      running: true;
      version?: string;
      commit?: string;
      built?: string;
      dirty?: boolean;
      /** Absent: not one of ours, the older system's daemon has the same socket. */
      implementation?: string;
      pid?: number;
      services: ServiceStatus[];
    };

export interface BuildIdentity {
  version: string;
  commit: string;
}

/** Longest wait for a status reply. */
const STATUS_TIMEOUT_MS = 5_000;

/**
 * Asks the daemon how it is.
 *
 * @throws TransportError DAEMON_TIMEOUT when somebody listens but does not answer, OmniDevError DAEMON_ERROR when the
 *   answer is an error
 */
export async function daemonStatus(socket: string, timeoutMs = STATUS_TIMEOUT_MS): Promise<DaemonStatus> {
  try {
    const reply = await sendRequest(socket, { op: 'status' }, { timeoutMs });
    if (!reply.ok) throw new OmniDevError('DAEMON_ERROR', `daemon returned an error: ${reply.error}`);
    return { running: true, ...readStatus(reply.payload) };
  } catch (error) {
    if (error instanceof TransportError && error.code === 'DAEMON_UNREACHABLE') return { running: false };
    throw error;
  }
}

function readStatus(payload: unknown): Omit<DaemonStatus & { running: true }, 'running'> {
  const from = objectOf(payload);
  const services = Array.isArray(from.services) ? from.services.map(objectOf).map(readService) : [];
  return {
    services,
    ...(typeof from.version === 'string' ? { version: from.version } : {}),
    ...(typeof from.commit === 'string' ? { commit: from.commit } : {}),
    ...(typeof from.built === 'string' ? { built: from.built } : {}),
    ...(typeof from.dirty === 'boolean' ? { dirty: from.dirty } : {}),
    ...(typeof from.implementation === 'string' ? { implementation: from.implementation } : {}),
    ...(typeof from.pid === 'number' ? { pid: from.pid } : {}),
  };
}

function readService(from: Record<string, unknown>): ServiceStatus {
  return {
    name: String(from.name ?? ''),
    healthy: from.healthy === true,
    summary: String(from.summary ?? ''),
    ...(from.detail === undefined ? {} : { detail: from.detail }),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const NAME_WIDTH = 16;
const HEALTH_WIDTH = 10;

/** The lines of `daemon status`. Texts come from the socket: sanitise before a terminal sees them. */
export function statusLines(status: DaemonStatus): string[] {
  if (!status.running) return ['daemon: not running'];
  const known = [
    status.version === undefined ? undefined : `v${status.version}`,
    status.commit,
    status.built === undefined ? undefined : `built ${status.built}`,
    status.dirty === true ? 'dirty' : undefined,
  ].filter((part) => part !== undefined && part !== '');
  const head = known.length === 0 ? 'daemon: running' : `daemon: running (${known.join(', ')})`;
  const foreign = status.implementation === IMPLEMENTATION ? [] : ['  (another omni-dev serves this socket)'];
  const rows = status.services.map(({ name, healthy, summary }) => {
    const health = healthy ? 'ok' : 'unhealthy';
    return `  ${name.padEnd(NAME_WIDTH)} ${health.padEnd(HEALTH_WIDTH)} ${summary}`.trimEnd();
  });
  return [head, ...foreign, ...rows];
}

/**
 * One line of warning when the running daemon is of another build than this program, else undefined. Commits are
 * compared where both are known, versions otherwise.
 */
export function versionSkew(
  status: DaemonStatus,
  own: BuildIdentity = { version: VERSION, commit: COMMIT },
): string | undefined {
  if (!status.running || status.implementation !== IMPLEMENTATION) return undefined;
  const byCommit = status.commit !== undefined && own.commit !== '';
  const theirs = byCommit ? status.commit : status.version;
  const ours = byCommit ? own.commit : own.version;
  if (theirs === undefined || theirs === ours) return undefined;
  const named = (version: string | undefined, commit: string | undefined) =>
    [version === undefined ? undefined : `v${version}`, commit].filter(Boolean).join(' ');
  return (
    `warning: the running daemon is ${named(status.version, status.commit)}, this is ` +
    `${named(own.version, own.commit)}; run \`omni-dev daemon restart\``
  );
}
