import type { JsonText } from '../edit/json-text.ts';
import { CLAUDE_HOOKS } from './claude-hooks.ts';
import { CODEX_HOOKS } from './codex-events.ts';
import { foreignHooks, sinkEntries } from './hook-entries.ts';
import { type HookAgent, isSameCommand } from './sink-command.ts';

/** How our hooks stand in a settings file. Lists hold names of events. */
export interface HooksState {
  /** Events that run our command. */
  installed: string[];
  /** Events that should and do not. */
  missing: string[];
  /** Events with more than one sink. */
  duplicated: string[];
  /** Sinks with another command: another path, other arguments, or behind other words. */
  others: { event: string; command: string }[];
  /** How many hooks of other tools run on events of ours. */
  coInstalled: { event: string; count: number }[];
}

/** Tells how the hooks of an agent stand. Pure; changes nothing. */
export function inspectHooks(text: JsonText, agent: HookAgent, command: string): HooksState {
  const wanted = (agent === 'claude' ? CLAUDE_HOOKS : CODEX_HOOKS).map(({ event }) => event);
  const sinks = sinkEntries(text);
  const ours = sinks.filter((entry) => isSameCommand(entry.command, command));
  const installed = wanted.filter((event) => ours.some((entry) => entry.event === event));
  const events = [...new Set(sinks.map((entry) => entry.event))];
  const foreign = foreignHooks(text).filter((event) => wanted.includes(event));
  return {
    installed,
    missing: wanted.filter((event) => !installed.includes(event)),
    duplicated: events.filter((event) => sinks.filter((entry) => entry.event === event).length > 1),
    others: sinks
      .filter((entry) => !ours.includes(entry))
      .map(({ event, command: other }) => ({ event, command: other })),
    coInstalled: [...new Set(foreign)].map((event) => ({
      event,
      count: foreign.filter((other) => other === event).length,
    })),
  };
}
