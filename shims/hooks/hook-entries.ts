import type { JsonPath, JsonText } from '../edit/json-text.ts';
import { readSinkCommand, type SinkCommand } from './sink-command.ts';

/** Member of a settings file that holds the hooks: `{ <event>: [ { matcher?, hooks: [ entry… ] } ] }`. */
export const HOOKS = 'hooks';

/** A hook entry that runs a sink of omni-dev. */
export interface SinkEntry {
  event: string;
  /** Position of its group in the event. */
  group: number;
  /** Position in its group. */
  position: number;
  command: string;
  sink: SinkCommand;
}

/** One hook entry as an agent reads it. */
interface HookEntry {
  command: string;
  args?: string[];
}

/** True when the hooks can be edited: absent, or an object. A value of another type is the user's business. */
export function hasEditableHooks(text: JsonText): boolean {
  const hooks = text.value([HOOKS]);
  return hooks === undefined || (typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks));
}

/** Why no hook can be put into a settings file, if that is so: the line for the user. */
export function hooksProblem(text: JsonText, file: string): string | undefined {
  if (hasEditableHooks(text)) return undefined;
  return `"${HOOKS}" in ${file} is no object; it was left alone, and nothing is installed`;
}

/** A hook entry of whatever kind, and where it stands. */
interface PlacedHook {
  event: string;
  group: number;
  position: number;
  entry: unknown;
}

/** Every entry that runs a sink, in the order of the text. Whatever has another shape is passed over. */
export function sinkEntries(text: JsonText): SinkEntry[] {
  return placedHooks(text).flatMap(({ entry, ...place }) => {
    const hook = asHookEntry(entry);
    const sink = hook && readSinkCommand(hook.command, hook.args);
    return hook === undefined || sink === undefined ? [] : [{ ...place, command: hook.command, sink }];
  });
}

/** The events of every hook that runs no sink of ours, one per hook. */
export function foreignHooks(text: JsonText): string[] {
  const ours = sinkEntries(text).map((entry) => entryPath(entry).join('/'));
  return placedHooks(text)
    .filter(({ entry }) => memberOf(entry, 'type') !== undefined)
    .filter((placed) => !ours.includes(entryPath(placed).join('/')))
    .map(({ event }) => event);
}

function placedHooks(text: JsonText): PlacedHook[] {
  if (!hasEditableHooks(text)) return [];
  return text
    .keys([HOOKS])
    .flatMap((event) =>
      listOf(text.value([HOOKS, event])).flatMap((value, group) =>
        listOf(memberOf(value, HOOKS)).map((entry, position) => ({ event, group, position, entry })),
      ),
    );
}

function asHookEntry(value: unknown): HookEntry | undefined {
  const command = memberOf(value, 'command');
  if (memberOf(value, 'type') !== 'command' || typeof command !== 'string') return undefined;
  const args = memberOf(value, 'args');
  if (!Array.isArray(args)) return { command };
  return { command, args: args.map(String) };
}

/** Path of an entry in the settings. */
export function entryPath({ event, group, position }: Omit<PlacedHook, 'entry'>): JsonPath {
  return [HOOKS, event, group, HOOKS, position];
}

/** Path of the group an entry is in. */
export function groupPath({ event, group }: SinkEntry): JsonPath {
  return [HOOKS, event, group];
}

/** Number of entries in the group of an entry. */
export function groupSize(text: JsonText, entry: SinkEntry): number {
  return listOf(text.value([...groupPath(entry), HOOKS])).length;
}

/** Adds a group to an event, which is created when there is none. False when the event holds something else. */
export function addGroup(text: JsonText, event: string, group: unknown): boolean {
  const groups = text.value([HOOKS, event]);
  if (groups !== undefined && !Array.isArray(groups)) return false;
  if (text.value([HOOKS]) === undefined) text.setMember([], HOOKS, {});
  if (groups === undefined) text.setMember([HOOKS], event, [group]);
  else text.append([HOOKS, event], group);
  return true;
}

/** Gives an entry its command and, where it has none of its own, the further members. */
export function rewriteEntry(
  text: JsonText,
  entry: SinkEntry,
  command: string,
  further: Readonly<Record<string, unknown>>,
): void {
  const at = entryPath(entry);
  text.setMember(at, 'command', command);
  // The exec form would pass the whole command line as one program.
  if (text.value([...at, 'args']) !== undefined) text.remove([...at, 'args']);
  for (const [key, value] of Object.entries(further)) {
    if (text.value([...at, key]) === undefined) text.setMember(at, key, value);
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined;
}
