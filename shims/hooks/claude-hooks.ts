import type { JsonText } from '../edit/json-text.ts';
import {
  addGroup,
  entryPath,
  groupPath,
  groupSize,
  HOOKS,
  hasEditableHooks,
  rewriteEntry,
  type SinkEntry,
  sinkEntries,
} from './hook-entries.ts';
import { isSameCommand, isUncustomised } from './sink-command.ts';

/** How one of Claude's events is hooked. */
interface ClaudeHook {
  event: string;
  matcher?: '*';
  /** Claude waits for it: the user's answer must not overtake it, or the process is about to go. */
  isAwaited?: true;
  /** Seconds. */
  timeout: number;
}

/** The sink bounds itself to 2 s; this is for one that never got as far as starting. */
const TIMEOUT_S = 10;
/** The largest timeout among SessionEnd hooks is what an exiting Claude waits at most. */
const END_TIMEOUT_S = 3;

/**
 * The events that Claude's sink is hooked to (docs/protocol.md). All run beside the turn, except where that would lose
 * what they say.
 */
export const CLAUDE_HOOKS: readonly ClaudeHook[] = [
  { event: 'SessionStart', timeout: TIMEOUT_S },
  { event: 'UserPromptSubmit', timeout: TIMEOUT_S },
  { event: 'PreToolUse', matcher: '*', timeout: TIMEOUT_S },
  { event: 'PostToolUse', matcher: '*', timeout: TIMEOUT_S },
  { event: 'Notification', timeout: TIMEOUT_S },
  { event: 'Stop', timeout: TIMEOUT_S },
  { event: 'SessionEnd', isAwaited: true, timeout: END_TIMEOUT_S },
  { event: 'PermissionRequest', matcher: '*', isAwaited: true, timeout: TIMEOUT_S },
  { event: 'PermissionDenied', matcher: '*', timeout: TIMEOUT_S },
  { event: 'PostToolUseFailure', matcher: '*', timeout: TIMEOUT_S },
  { event: 'StopFailure', timeout: TIMEOUT_S },
  { event: 'Elicitation', timeout: TIMEOUT_S },
  { event: 'ElicitationResult', timeout: TIMEOUT_S },
  { event: 'SubagentStart', timeout: TIMEOUT_S },
  { event: 'SubagentStop', timeout: TIMEOUT_S },
  { event: 'PreCompact', timeout: TIMEOUT_S },
  { event: 'PostCompact', timeout: TIMEOUT_S },
];

/** What an edit of the hooks did. */
export interface HookCounts {
  /** Events that got a new group. */
  added: number;
  /** Entries of ours at another path that were changed in place. */
  rewritten: number;
  /** Entries of ours that were taken out. */
  removed: number;
  /** Customised sinks, which are the user's choice. */
  leftAlone: number;
}

/**
 * Hooks the sink to every event. What is hooked already stays where it is; an un-customised sink at another path gets
 * our command in place, and a second one in the same event goes.
 */
export function addClaudeHooks(text: JsonText, command: string): HookCounts {
  const counts: HookCounts = { added: 0, rewritten: 0, removed: 0, leftAlone: countCustomised(text) };
  if (!hasEditableHooks(text)) return counts;
  const hooked = new Set<string>();
  for (const event of eventsWithSinks(text)) {
    const [first, ...others] = uncustomised(text, event);
    if (first === undefined) continue;
    hooked.add(event);
    for (const entry of others.reverse()) removeEntry(text, entry);
    counts.removed += others.length;
    if (isSameCommand(first.command, command)) continue;
    rewriteEntry(text, first, command, optionsOf(event));
    counts.rewritten++;
  }
  for (const { event, matcher } of CLAUDE_HOOKS) {
    if (hooked.has(event)) continue;
    const hooks = [{ type: 'command', command, ...optionsOf(event) }];
    if (addGroup(text, event, matcher === undefined ? { hooks } : { matcher, hooks })) counts.added++;
  }
  return counts;
}

/** Takes every un-customised sink out of every event, with the groups and events that this empties. */
export function removeClaudeHooks(text: JsonText): HookCounts {
  let removed = 0;
  for (const event of eventsWithSinks(text)) {
    const entries = uncustomised(text, event).reverse();
    for (const entry of entries) removeEntry(text, entry);
    removed += entries.length;
  }
  return { added: 0, rewritten: 0, removed, leftAlone: countCustomised(text) };
}

function optionsOf(event: string): Record<string, unknown> {
  const hook = CLAUDE_HOOKS.find((candidate) => candidate.event === event);
  const timeout = hook?.timeout ?? TIMEOUT_S;
  return hook?.isAwaited === true ? { timeout } : { async: true, timeout };
}

function eventsWithSinks(text: JsonText): string[] {
  return [...new Set(sinkEntries(text).map((entry) => entry.event))];
}

function uncustomised(text: JsonText, event: string): SinkEntry[] {
  return sinkEntries(text).filter((entry) => entry.event === event && isUncustomised(entry.sink, 'claude'));
}

function countCustomised(text: JsonText): number {
  return sinkEntries(text).filter((entry) => !isUncustomised(entry.sink, 'claude')).length;
}

/** Removes an entry, then its group and its event as far as they are empty then. The last entries come first. */
function removeEntry(text: JsonText, entry: SinkEntry): void {
  const isOnly = groupSize(text, entry) === 1;
  text.remove(isOnly ? groupPath(entry) : entryPath(entry));
  const groups = text.value([HOOKS, entry.event]);
  if (Array.isArray(groups) && groups.length === 0) text.remove([HOOKS, entry.event]);
}
