import fs from 'node:fs';
import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';
import { type ConfigEdit, editConfigFile, type FileRecord } from '../edit/edit-config-file.ts';
import type { LockOptions } from '../edit/file-lock.ts';
import type { JsonText } from '../edit/json-text.ts';
import { findOnPath } from '../install/find-on-path.ts';
import { addClaudeHooks, type HookCounts, removeClaudeHooks } from './claude-hooks.ts';
import { HOOKS, hooksProblem } from './hook-entries.ts';

export interface HooksFileOptions {
  /** The settings file. */
  file: string;
  /** The command to install, as {@link canonicalCommand} makes it. */
  command: string;
  lock?: LockOptions;
}

/** What happened to one agent's hooks, for the command line to print and for `setup` to record. */
export interface HooksResult {
  /** Lines for the user, in order. */
  messages: string[];
  changed: boolean;
  counts: HookCounts;
  /** True when the `hooks` member itself was put in. */
  createdHooks: boolean;
  record?: FileRecord;
}

const NO_COUNTS: HookCounts = { added: 0, rewritten: 0, removed: 0, leftAlone: 0 };

/** True when Claude Code is here: its folder exists, or `claude` is on PATH. */
export function isClaudeInstalled(around: Surroundings): boolean {
  return (
    fs.existsSync(path.dirname(claudeSettingsFile(around))) || findOnPath(around, 'claude') !== undefined
  );
}

/** Claude's settings file: `--settings`, else that of CLAUDE_CONFIG_DIR, else of `~/.claude`. */
export function claudeSettingsFile({ env, home }: Surroundings, settings?: string): string {
  const folder = env.CLAUDE_CONFIG_DIR || path.posix.join(home, '.claude');
  return settings ?? path.posix.join(folder, 'settings.json');
}

/** The edit that installs, without its effect on {@link HookCounts}. */
export function claudeHooksEdit({ file, command }: HooksFileOptions): ConfigEdit {
  return {
    file,
    createMissing: true,
    spreadOneLiner: true,
    edit: (text) => {
      addClaudeHooks(text, command);
    },
  };
}

/**
 * Hooks the sink to Claude's events in a settings file, which is created when there is none.
 *
 * @throws ConfigFileError when the file must not be written; its bytes are as they were then.
 */
export async function installClaudeHooks({ file, command, lock }: HooksFileOptions): Promise<HooksResult> {
  let counts = NO_COUNTS;
  let hadHooks = true;
  const notes: string[] = [];
  let problem: string | undefined;
  const outcome = await editConfigFile({
    ...claudeHooksEdit({ file, command }),
    edit: (text) => {
      hadHooks = text.value([HOOKS]) !== undefined;
      counts = addClaudeHooks(text, command);
      problem = hooksProblem(text, file);
      notes.splice(0, notes.length, ...notesOn(text, file));
    },
    ...(lock === undefined ? {} : { lock }),
  });
  const messages = [
    ...(problem === undefined ? installMessages(counts, file, command, outcome.changed) : [problem]),
    ...notes,
    ...customisedNote(counts, file),
  ];
  return { ...resultOf(outcome, messages, counts), createdHooks: outcome.changed && !hadHooks };
}

/**
 * Takes the sink out of a settings file again.
 *
 * @throws ConfigFileError as {@link installClaudeHooks}.
 */
export async function uninstallClaudeHooks({
  file,
  lock,
}: Omit<HooksFileOptions, 'command'>): Promise<HooksResult> {
  let counts = NO_COUNTS;
  const outcome = await editConfigFile({
    file,
    createMissing: false,
    edit: (text) => {
      counts = removeClaudeHooks(text);
    },
    ...(lock === undefined ? {} : { lock }),
  });
  if (!outcome.exists)
    return resultOf(outcome, [`no settings file at ${file} (nothing to remove)`], NO_COUNTS);
  const removed = `removed ${counts.removed} sessions hook entry(ies) from ${file}`;
  return resultOf(outcome, [removed, ...customisedNote(counts, file)], counts);
}

/** The lines about an installation, the same for every agent whose hooks are commands in a file. */
export function installMessages(
  counts: HookCounts,
  file: string,
  command: string,
  changed: boolean,
): string[] {
  if (!changed) return [`sessions hooks already installed in ${file} (no change)`];
  const lines: string[] = [];
  if (counts.added > 0) lines.push(`installed ${counts.added} sessions hook event(s) into ${file}`);
  if (counts.rewritten > 0) lines.push(`updated ${counts.rewritten} sessions hook entry(ies) in ${file}`);
  if (counts.removed > 0)
    lines.push(`removed ${counts.removed} duplicate sessions hook entry(ies) from ${file}`);
  return [...lines, `command: ${command}`];
}

/** The line about sinks that somebody adapted, if there are any. */
export function customisedNote({ leftAlone }: HookCounts, file: string): string[] {
  if (leftAlone === 0) return [];
  return [
    `left ${leftAlone} customised sessions hook entry(ies) in ${file} alone; ` +
      'edit them by hand if they name a program that has moved',
  ];
}

function notesOn(text: JsonText, file: string): string[] {
  if (text.value(['disableAllHooks']) !== true) return [];
  return [`${file} switches all hooks off (disableAllHooks)`];
}

function resultOf(
  outcome: { changed: boolean; record?: FileRecord },
  messages: string[],
  counts: HookCounts,
): HooksResult {
  const result: HooksResult = { messages, changed: outcome.changed, counts, createdHooks: false };
  if (outcome.record !== undefined) result.record = outcome.record;
  return result;
}
