/** The registry's numbers. Those of the contract stand in docs/protocol.md; times are milliseconds of awake time. */

/** A session that no feed has spoken of for longer than this is dropped. */
export const SESSION_TTL_MS = 300_000;
/** How long an ended row stays visible. */
export const ENDED_LINGER_MS = 10_000;
/** A window that did not report for longer than this is dropped. */
export const WINDOW_TTL_MS = 30_000;
export const MAX_SESSIONS = 512;
export const MAX_WINDOWS = 256;
/** Replaced pids remembered per session, oldest forgotten first. */
export const MAX_REPLACED_PIDS = 8;
/** Event sequence numbers remembered per session, for dropping second copies. */
export const MAX_SEQS = 32;
/** A socket event this much or more behind the newest one is applied: a clock was set, it is not a late read. */
export const OUT_OF_ORDER_WINDOW_MS = 10_000;
/** An exact feed re-reports at least each 30 s; after this much silence it no longer decides. */
export const EXACT_SILENCE_MS = 75_000;
/** How long an exact feed may take to confirm a prompt that a hook reported, before it counts as drifted. */
export const DRIFT_MS = 5_000;
/** A tool event of a finished turn within this time of its end is a straggler of an asynchronous hook. */
export const FINISHED_TURN_MS = 2_000;
/** Subagent waits and per-agent stamps remembered per session. */
export const MAX_SUBAGENTS = 64;
