import type { Agent } from './events.ts';

/** How long one session stood waiting for a person today. */
export interface SessionWaitingTime {
  session_id: string;
  agent: Agent;
  repo?: string;
  cwd?: string;
  waits: number;
  /** Seconds that the machine was awake. */
  waited_s: number;
  /** True while it waits. */
  waiting: boolean;
}

/** How long the sessions of one repository did. */
export interface RepositoryWaitingTime {
  repo: string;
  waits: number;
  waited_s: number;
}

/** Reply payload of the additive op `stats`. Longest first. Sessions without a repository are in no repository's sum. */
export interface WaitingTimePayload {
  /** The day in the daemon's time zone, `YYYY-MM-DD`. */
  day: string;
  /** RFC 3339, UTC: since when this daemon looks, or the day began. */
  since: string;
  sessions: SessionWaitingTime[];
  repositories: RepositoryWaitingTime[];
}
