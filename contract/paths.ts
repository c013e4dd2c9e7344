import path from 'node:path';
import { builtinModule } from './builtin-module.ts';

/** What the paths depend on. Everything is passed in, so that each platform's rule can be tested on any other. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  home: string;
  uid: number;
}

/** A socket path must be shorter than this many bytes (macOS has 104, Linux 108: one rule for both). */
export const SOCKET_PATH_LIMIT_BYTES = 104;

/** Every path of ours for one user. */
export interface Paths {
  /** `<data dir>/omni-dev`, 0700: socket, log, journals, shims, bundles. */
  runtimeDir: string;
  /** The control socket, 0600. */
  socket: string;
  /** True when the default socket path was too long and the short per-user directory is used instead. */
  socketIsFallback: boolean;
  /** `<journals dir>/<agent>/<session id>.jsonl`. Beside the socket, unless only the socket had to move. */
  journalsDir: string;
  /** Log of a daemon that runs in the background. */
  log: string;
  /** The executable that VS Code runs in place of `claude`. */
  wrapperShim: string;
  /** The command that installed hooks run. */
  commandShim: string;
  /** Versioned copies of the start-up bundles, which both shims run. */
  bundlesDir: string;
}

/** The user's data directory: macOS ignores XDG, Linux takes XDG_DATA_HOME when it is absolute. */
export function dataDir(around: Surroundings): string {
  if (around.platform === 'darwin') return path.posix.join(around.home, 'Library', 'Application Support');
  const xdg = around.env.XDG_DATA_HOME;
  if (xdg !== undefined && path.posix.isAbsolute(xdg)) return xdg;
  return path.posix.join(around.home, '.local', 'share');
}

/** Where the socket goes when its default path is too long: short, per user, told apart by a hash of the default. */
function fallbackSocket(defaultSocket: string, uid: number): string {
  // Loaded here alone: it would be a twentieth of what every hook costs.
  const { createHash } = builtinModule('node:crypto') as typeof import('node:crypto');
  const hash = createHash('sha256').update(defaultSocket).digest('hex').slice(0, 16);
  return `/tmp/omni-dev-${uid}/${hash}.sock`;
}

/**
 * Computes every path. The one place that does: daemon, wrappers, sink and commands must agree, whatever optional
 * variables (`TMPDIR`, `XDG_RUNTIME_DIR`) their environments differ in, so none of those is read.
 *
 * @param override the value of `--socket`: used as it is, and journals and log move beside it.
 */
export function resolvePaths(around: Surroundings, override?: string): Paths {
  const runtimeDir = path.posix.join(dataDir(around), 'omni-dev');
  const defaultSocket = path.posix.join(runtimeDir, 'daemon.sock');
  const tooLong = Buffer.byteLength(defaultSocket) >= SOCKET_PATH_LIMIT_BYTES;
  const beside = override === undefined ? runtimeDir : path.dirname(path.resolve(override));
  return {
    runtimeDir,
    socket: override ?? (tooLong ? fallbackSocket(defaultSocket, around.uid) : defaultSocket),
    socketIsFallback: override === undefined && tooLong,
    journalsDir: path.posix.join(beside, 'sessions'),
    log: path.posix.join(beside, 'daemon.log'),
    wrapperShim: path.posix.join(runtimeDir, 'claude-wrap'),
    commandShim: path.posix.join(runtimeDir, 'bin', 'omni-dev'),
    bundlesDir: path.posix.join(runtimeDir, 'bundles'),
  };
}

/** The error text for a socket path that is too long, or undefined when it is short enough. */
export function socketPathProblem(socket: string): string | undefined {
  const length = Buffer.byteLength(socket);
  if (length < SOCKET_PATH_LIMIT_BYTES) return undefined;
  return (
    `socket path is ${length} bytes, exceeding the ${SOCKET_PATH_LIMIT_BYTES}-byte limit: ${socket}; ` +
    'pass a shorter --socket path'
  );
}
