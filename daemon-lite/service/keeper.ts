/**
 * The system's service manager, where it keeps the daemon of this socket: `armed` means that it listens on the socket and
 * starts the daemon at the next connection.
 */
export interface DaemonKeeper {
  /** What people call it: `systemd`. */
  readonly name: string;
  standing(): Promise<'running' | 'armed' | 'off'>;
  /** Each of these resolves when the manager has done it. @throws OmniDevError with what the manager said and the fix */
  start(): Promise<void>;
  /** Stops the daemon and lets go of the socket, so that nothing starts it again. */
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** The command that shows why a daemon of it did not come up. */
  readonly inspect: string;
}
