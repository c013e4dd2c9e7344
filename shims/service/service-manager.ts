import { OmniDevError } from '../../contract/errors.ts';

/** Whether a service manager can be told anything from here. */
export type Reach = { is: 'here' } | { is: 'missing' } | { is: 'unreachable'; why: string };

/** What a service manager does right now about the daemon: `armed` is listening for it. */
export type Standing = 'running' | 'armed' | 'off';

/** The system's service manager for one user, as far as the daemon needs it. */
export interface ServiceManager {
  /** What people call it. */
  readonly name: string;
  /** The command that shows why a daemon of it did not come up. */
  readonly inspect: string;
  /** What a user types to do {@link ServiceManager.arm} or {@link ServiceManager.forget} by hand. */
  readonly byHand: { arm: readonly string[]; stop: readonly string[]; forget: readonly string[] };
  reach(): Promise<Reach>;
  standing(): Promise<Standing>;
  /** What it says of a failure of the daemon, or undefined when all is well. */
  failure(): Promise<string | undefined>;
  /** Takes the definition as it is now, and keeps the daemon from now on. */
  arm(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** Drops a definition whose files are gone. */
  forget(): Promise<void>;
}

/** What a manager refused to do, in its own words, and where to look. */
export function managerFailed(what: string, said: string, inspect: string): OmniDevError {
  const reason = said === '' ? 'it did not say why' : said.replace(/\.$/, '');
  return new OmniDevError('SERVICE_MANAGER_FAILED', `${what} failed: ${reason}. See: ${inspect}`);
}
