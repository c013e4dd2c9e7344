import path from 'node:path';
import { type Paths, resolvePaths, type Surroundings } from '../../contract/paths.ts';

/** Name of the settings section. It is the older companion's, so that its users keep their settings. */
export const SECTION = 'omniDevWorktrees';

/** What the user can set, as it is used. */
export interface Settings {
  socket: string;
  /** Set by the user: commands of the command line have to be told the socket as well. */
  socketIsCustom: boolean;
  heartbeatMs: number;
  showCues: boolean;
  /** The omni-dev program, where the user names one. */
  binary: string | undefined;
  paths: Paths;
}

const DEFAULT_HEARTBEAT_SECONDS = 10;
/** A window report lives for 30 s: a slower heartbeat would let it lapse between two beats. */
const SLOWEST_HEARTBEAT_SECONDS = 25;

/**
 * Reads the settings. A value of a wrong type counts as not set, and the heartbeat is kept between 1 and 25 s.
 *
 * @param get gives a setting of {@link SECTION} by its name.
 */
export function readSettings(get: (name: string) => unknown, around: Surroundings): Settings {
  const socketPath = text(get('socketPath'), around.home);
  const paths = resolvePaths(around, socketPath);
  const seconds = get('heartbeatSeconds');
  const heartbeat = typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_HEARTBEAT_SECONDS;
  return {
    socket: paths.socket,
    socketIsCustom: socketPath !== undefined,
    heartbeatMs: Math.min(Math.max(heartbeat, 1), SLOWEST_HEARTBEAT_SECONDS) * 1000,
    showCues: get('showClaudeSessions') !== false,
    binary: text(get('binaryPath'), around.home),
    paths,
  };
}

/** The trimmed text with a leading `~/` expanded, or undefined when it is blank or none. */
function text(value: unknown, home: string): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const trimmed = value.trim();
  return trimmed.startsWith('~/') ? path.join(home, trimmed.slice(2)) : trimmed;
}
