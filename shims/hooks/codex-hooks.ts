import type { JsonText } from '../edit/json-text.ts';
import type { HookCounts } from './claude-hooks.ts';
import { CODEX_HOOKS } from './codex-events.ts';
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
import { isSameCommand } from './sink-command.ts';

/** What an edit of Codex's hooks did. Codex trusts a hook by its position and content. */
export interface CodexHookCounts extends HookCounts {
  /** Events in which a hook of somebody else moved up within its group, so that it has to be trusted again. */
  shifted: string[];
}

export interface CodexHookOptions {
  command: string;
  /** Whether the Codex that is here runs async hooks. */
  runsAsync: boolean;
}

/**
 * Hooks the sink to every event, moving nothing that is there: new groups come last, and every other sink is changed to
 * our command where it sits, whatever its arguments, because one without `--agent codex` could label the session.
 */
export function addCodexHooks(text: JsonText, options: CodexHookOptions): CodexHookCounts {
  const counts: CodexHookCounts = {
    added: 0,
    rewritten: 0,
    removed: 0,
    leftAlone: countWrapped(text),
    shifted: [],
  };
  if (!hasEditableHooks(text)) return counts;
  const hooked = new Set<string>();
  for (const event of eventsWithSinks(text)) {
    hooked.add(event);
    const [, ...duplicates] = sinksOf(text, event);
    for (const entry of duplicates.reverse()) {
      if (!isLastInGroup(text, entry)) continue;
      takeOut(text, entry);
      dropTrailingPlaceholders(text, event);
      counts.removed++;
    }
    for (const entry of sinksOf(text, event)) {
      if (isSameCommand(entry.command, options.command)) continue;
      rewriteEntry(text, entry, options.command, optionsOf(event, options));
      counts.rewritten++;
    }
  }
  for (const { event, matcher } of CODEX_HOOKS) {
    if (hooked.has(event)) continue;
    const hooks = [{ type: 'command', command: options.command, ...optionsOf(event, options) }];
    if (addGroup(text, event, matcher === undefined ? { hooks } : { matcher, hooks })) counts.added++;
  }
  return counts;
}

/**
 * Takes every sink out. A group that this empties stays as an inert `{ "hooks": [] }` while others follow, so that they
 * keep their positions and their trust.
 */
export function removeCodexHooks(text: JsonText): CodexHookCounts {
  const counts: CodexHookCounts = {
    added: 0,
    rewritten: 0,
    removed: 0,
    leftAlone: countWrapped(text),
    shifted: [],
  };
  for (const event of eventsWithSinks(text)) {
    for (const entry of sinksOf(text, event).reverse()) {
      if (!isLastInGroup(text, entry)) counts.shifted.push(event);
      takeOut(text, entry);
      counts.removed++;
    }
    dropTrailingPlaceholders(text, event);
  }
  counts.shifted = [...new Set(counts.shifted)];
  return counts;
}

function optionsOf(event: string, { runsAsync }: CodexHookOptions): Record<string, unknown> {
  const hook = CODEX_HOOKS.find((candidate) => candidate.event === event);
  const timeout = hook === undefined ? {} : { timeout: hook.timeout };
  return runsAsync && hook?.mayBeAsync === true ? { async: true, ...timeout } : timeout;
}

/** Sinks that are a whole command. One behind other words is somebody's own arrangement. */
function sinksOf(text: JsonText, event: string): SinkEntry[] {
  return sinkEntries(text).filter((entry) => entry.event === event && !entry.sink.isWrapped);
}

function eventsWithSinks(text: JsonText): string[] {
  const sinks = sinkEntries(text).filter((entry) => !entry.sink.isWrapped);
  return [...new Set(sinks.map((entry) => entry.event))];
}

function countWrapped(text: JsonText): number {
  return sinkEntries(text).filter((entry) => entry.sink.isWrapped).length;
}

function isLastInGroup(text: JsonText, entry: SinkEntry): boolean {
  return entry.position === groupSize(text, entry) - 1;
}

/** Removes an entry and leaves its group where it is, as a placeholder when it was the last one. */
function takeOut(text: JsonText, entry: SinkEntry): void {
  text.remove(entryPath(entry));
  const group = groupPath(entry);
  if (groupSize(text, entry) === 0 && text.value([...group, 'matcher']) !== undefined) {
    text.remove([...group, 'matcher']);
  }
}

/** Drops empty groups at the end of an event, and then an empty event: nothing can move into their places. */
function dropTrailingPlaceholders(text: JsonText, event: string): void {
  for (;;) {
    const groups = text.value([HOOKS, event]);
    if (!Array.isArray(groups)) return;
    if (groups.length === 0) return text.remove([HOOKS, event]);
    if (!isPlaceholder(groups.at(-1))) return;
    text.remove([HOOKS, event, groups.length - 1]);
  }
}

function isPlaceholder(group: unknown): boolean {
  return (
    typeof group === 'object' &&
    group !== null &&
    'hooks' in group &&
    Array.isArray(group.hooks) &&
    group.hooks.length === 0
  );
}
