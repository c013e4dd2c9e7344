/** How one of Codex's events is hooked. */
export interface CodexHook {
  event: string;
  matcher?: '*';
  /** Seconds. */
  timeout: number;
  /** Whether it may run beside the turn where Codex can do that. */
  mayBeAsync?: true;
}

/** The sink bounds itself to 2 s; this is for one that never got as far as starting. Codex waits for it. */
const TIMEOUT_S = 5;
/** The most that Codex gives these two events. */
const SHORT_TIMEOUT_S = 3;

/**
 * The events that Codex's sink is hooked to. PreModelRequest and PostModelRequest are left out: Codex waits for each
 * hook, and these would delay every request to the model. No matcher stands where Codex takes none: it would not be part
 * of the hash that trust is kept by.
 */
export const CODEX_HOOKS: readonly CodexHook[] = [
  { event: 'SessionStart', timeout: TIMEOUT_S },
  { event: 'UserPromptSubmit', timeout: TIMEOUT_S },
  { event: 'PreToolUse', matcher: '*', timeout: TIMEOUT_S },
  { event: 'PermissionRequest', timeout: TIMEOUT_S },
  { event: 'PostToolUse', matcher: '*', timeout: TIMEOUT_S, mayBeAsync: true },
  { event: 'PreCompact', timeout: TIMEOUT_S },
  { event: 'PostCompact', timeout: TIMEOUT_S },
  { event: 'SubagentStart', timeout: TIMEOUT_S },
  { event: 'SubagentStop', timeout: TIMEOUT_S },
  { event: 'Stop', timeout: TIMEOUT_S },
  { event: 'Interrupt', timeout: SHORT_TIMEOUT_S },
  { event: 'SessionEnd', timeout: SHORT_TIMEOUT_S },
];

/**
 * Events whose matcher Codex drops before it hashes an entry (measured on 0.171.0 by `hooks/list`, as are the timeouts
 * in {@link effectiveTimeout}).
 */
const WITHOUT_MATCHER = new Set(['UserPromptSubmit', 'Stop', 'Interrupt']);
const SHORT_EVENTS = new Set(['SessionEnd', 'Interrupt']);

/** True when a matcher counts for the event. */
export function takesMatcher(event: string): boolean {
  return !WITHOUT_MATCHER.has(event);
}

/** The timeout in seconds that Codex gives an entry: its own or the default, within the event's limits. */
export function effectiveTimeout(event: string, own: number | undefined): number {
  if (!SHORT_EVENTS.has(event)) return Math.max(own ?? 600, 1);
  return Math.min(Math.max(own ?? 1, 1), SHORT_TIMEOUT_S);
}

/** The event's name in hook keys and hashes: `PreToolUse` is `pre_tool_use`. */
export function snakeCase(event: string): string {
  return event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Oldest Codex that runs async hooks; older ones were seen to skip them. */
const ASYNC_SINCE = [0, 171] as const;

/** True when a Codex of this version (`0.171.0`) runs async hooks. An unknown version does not. */
export function runsAsyncHooks(version: string | undefined): boolean {
  const found = /^(\d+)\.(\d+)\./.exec(version ?? '');
  if (found === null) return false;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return major > ASYNC_SINCE[0] || (major === ASYNC_SINCE[0] && minor >= ASYNC_SINCE[1]);
}
