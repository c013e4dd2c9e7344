import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { JsonText } from '../../shims/edit/json-text.ts';
import { CLAUDE_HOOKS } from '../../shims/hooks/claude-hooks.ts';
import { HOOKS, sinkEntries } from '../../shims/hooks/hook-entries.ts';
import { claudeSettingsFile } from '../../shims/hooks/install-claude-hooks.ts';
import { codexHome, isCodexInstalled, readCodexTrust } from '../../shims/hooks/install-codex-hooks.ts';
import { canonicalCommand, isSameCommand, isUncustomised } from '../../shims/hooks/sink-command.ts';
import { isPiInstalled, piExtensionFile } from '../../shims/pi/find-pi.ts';
import { isOurPiExtension } from '../../shims/pi/pi-extension-text.ts';
import type { ClaudeHookFacts, CodexHookFacts, InstalledHook, PiExtensionFacts } from './hooks-findings.ts';

export function gatherClaudeHooks(around: Surroundings, paths: Paths): ClaudeHookFacts {
  const file = claudeSettingsFile(around);
  const nothing = {
    file,
    hooks: [],
    wantedEvents: CLAUDE_HOOKS.map(({ event }) => event),
    allDisabled: false,
    others: 0,
  };
  if (!existsSync(file)) return nothing;
  try {
    const text = new JsonText(readFileSync(file, 'utf8'));
    const hooks = installedHooks(text, 'claude', around, paths);
    const allDisabled = text.value(['disableAllHooks']) === true;
    return { ...nothing, hooks, allDisabled, others: othersOn(text, hooks) };
  } catch (error) {
    return { ...nothing, broken: messageOf(error) };
  }
}

/** How many entries of other tools stand on the events that ours are on. */
function othersOn(text: JsonText, hooks: readonly InstalledHook[]): number {
  const events = new Set(hooks.map(({ event }) => event));
  return [...events].reduce((sum, event) => sum + entriesOn(text, event), 0) - hooks.length;
}

function installedHooks(
  text: JsonText,
  agent: 'claude' | 'codex',
  around: Surroundings,
  paths: Paths,
): InstalledHook[] {
  const wanted = canonicalCommand(paths.commandShim, agent);
  return sinkEntries(text).map(({ event, command, sink }) => ({
    event,
    command,
    programExists: isThere(sink.program, around),
    isCurrent: isSameCommand(command, wanted),
    isCustomised: !isUncustomised(sink, agent),
  }));
}

/** A name without a folder is looked for on PATH, as the agent's shell does. */
function isThere(program: string, { env, home }: Surroundings): boolean {
  // The shell of the hook fills variables in; we do not.
  if (program.includes('$')) return true;
  if (program.startsWith('~/')) return existsSync(path.join(home, program.slice(2)));
  if (program.includes('/')) return existsSync(program);
  return (env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}

/** How many hook entries an event has in all. */
function entriesOn(text: JsonText, event: string): number {
  const groups = text.value([HOOKS, event]);
  if (!Array.isArray(groups)) return 0;
  return groups.reduce((sum: number, group: unknown) => {
    const hooks = typeof group === 'object' && group !== null && 'hooks' in group ? group.hooks : undefined;
    return sum + (Array.isArray(hooks) ? hooks.length : 0);
  }, 0);
}

export function gatherCodexHooks(around: Surroundings, paths: Paths): CodexHookFacts {
  const nothing = { isHere: isCodexInstalled(around), installed: [], others: 0, hooks: [] };
  const home = codexHome(around);
  const file = path.join(home, 'hooks.json');
  if (!existsSync(file)) return nothing;
  try {
    const text = new JsonText(readFileSync(file, 'utf8'));
    const installed = installedHooks(text, 'codex', around, paths);
    return { ...nothing, installed, others: othersOn(text, installed), hooks: readCodexTrust(home) };
  } catch (error) {
    return { ...nothing, broken: `hooks.json or config.toml in ${home}: ${messageOf(error)}` };
  }
}

export function gatherPi(around: Surroundings): PiExtensionFacts {
  const file = piExtensionFile(around);
  return { isHere: isPiInstalled(around), file, extension: piExtensionState(file) };
}

function piExtensionState(file: string): PiExtensionFacts['extension'] {
  try {
    return isOurPiExtension(readFileSync(file, 'utf8')) ? 'ours' : 'foreign';
  } catch {
    return 'missing';
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
