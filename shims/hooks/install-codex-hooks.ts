import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';
import { type ConfigEdit, editConfigFile, type FileRecord } from '../edit/edit-config-file.ts';
import type { LockOptions } from '../edit/file-lock.ts';
import { findOnPath } from '../install/find-on-path.ts';
import { runsAsyncHooks } from './codex-events.ts';
import { addCodexHooks, type CodexHookCounts, removeCodexHooks } from './codex-hooks.ts';
import { codexHookTrust, type HookTrustStatus } from './codex-trust.ts';
import { HOOKS, hooksProblem } from './hook-entries.ts';
import { customisedNote, installMessages } from './install-claude-hooks.ts';

export interface CodexHooksFileOptions {
  /** Codex's home: the folder of `hooks.json` and `config.toml`. */
  home: string;
  /** The command to install, as {@link canonicalCommand} makes it. */
  command: string;
  /** Version of the Codex that is here (`0.171.0`), where known. */
  codexVersion?: string | undefined;
  lock?: LockOptions;
}

export interface CodexHooksResult {
  messages: string[];
  changed: boolean;
  counts: CodexHookCounts;
  /** The home's `hooks.json`. */
  file: string;
  /** True when the `hooks` member itself was put in. */
  createdHooks: boolean;
  record?: FileRecord;
}

const NO_COUNTS: CodexHookCounts = { added: 0, rewritten: 0, removed: 0, leftAlone: 0, shifted: [] };

const TRUST_STEP =
  'Codex skips hooks it was not told to trust: open codex, run /hooks and trust the omni-dev entries (once, also for ' +
  'its VS Code extension and its desktop app).';

/** Codex's home: `--codex-home`, else CODEX_HOME, else `~/.codex`. */
export function codexHome({ env, home }: Surroundings, named?: string): string {
  return named ?? (env.CODEX_HOME || path.posix.join(home, '.codex'));
}

/** Where `codex` is on PATH, or undefined. */
export function findCodex(around: Surroundings): string | undefined {
  return findOnPath(around, 'codex');
}

/** True when Codex is here: its home exists, or it is on PATH. */
export function isCodexInstalled(around: Surroundings): boolean {
  return fs.existsSync(codexHome(around)) || findCodex(around) !== undefined;
}

/** What the Codex at a path says its version is, or undefined. Asked in a home of its own: Codex makes one to answer. */
export function codexVersionOf(program: string): string | undefined {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'omni-dev-codex-'));
  try {
    const ran = spawnSync(program, ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, CODEX_HOME: home },
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return ran.status === 0 ? /\b(\d+\.\d+\.\d+)/.exec(ran.stdout)?.[1] : undefined;
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** The edit that installs, without its effect on {@link CodexHookCounts}. */
export function codexHooksEdit({ home, command, codexVersion }: CodexHooksFileOptions): ConfigEdit {
  return {
    file: hooksFileOf(home),
    createMissing: true,
    spreadOneLiner: true,
    edit: (text) => {
      addCodexHooks(text, { command, runsAsync: runsAsyncHooks(codexVersion) });
    },
  };
}

/**
 * Hooks the sink to Codex's events in the `hooks.json` of a home, and says how to make Codex trust it.
 *
 * @throws ConfigFileError when the file must not be written; its bytes are as they were then.
 */
export async function installCodexHooks(options: CodexHooksFileOptions): Promise<CodexHooksResult> {
  const { home, command, lock } = options;
  const file = hooksFileOf(home);
  let counts = NO_COUNTS;
  let hadHooks = true;
  let problem: string | undefined;
  const outcome = await editConfigFile({
    ...codexHooksEdit(options),
    edit: (text) => {
      hadHooks = text.value([HOOKS]) !== undefined;
      problem = hooksProblem(text, file);
      counts = addCodexHooks(text, { command, runsAsync: runsAsyncHooks(options.codexVersion) });
    },
    ...(lock === undefined ? {} : { lock }),
  });
  const messages = [
    ...installMessages(counts, file, command, outcome.changed),
    ...customisedNote(counts, file),
    ...trustNote(home),
  ];
  if (problem !== undefined) messages.splice(0, messages.length, problem);
  return { ...resultOf(outcome, messages, counts), createdHooks: outcome.changed && !hadHooks };
}

/**
 * Takes the sink out of a home's `hooks.json` again, moving no other hook.
 *
 * @throws ConfigFileError as {@link installCodexHooks}.
 */
export async function uninstallCodexHooks(
  options: Pick<CodexHooksFileOptions, 'home' | 'lock'>,
): Promise<CodexHooksResult> {
  const file = hooksFileOf(options.home);
  let counts = NO_COUNTS;
  const outcome = await editConfigFile({
    file,
    createMissing: false,
    edit: (text) => {
      counts = removeCodexHooks(text);
    },
    ...(options.lock === undefined ? {} : { lock: options.lock }),
  });
  if (!outcome.exists) return resultOf(outcome, [`no Codex hooks at ${file} (nothing to remove)`], NO_COUNTS);
  const messages = [
    `removed ${counts.removed} sessions hook entry(ies) from ${file}`,
    ...customisedNote(counts, file),
  ];
  for (const event of counts.shifted) {
    messages.push(
      `a hook behind ours in the same group of ${event} moved up: trust it again in codex (/hooks)`,
    );
  }
  return resultOf(outcome, messages, counts);
}

/**
 * Reads whether Codex runs our hooks of a home. An empty list means that none is installed.
 *
 * @throws Error when `hooks.json` or `config.toml` cannot be read or does not parse.
 */
export function readCodexTrust(home: string): HookTrustStatus[] {
  const file = hooksFileOf(home);
  const hooksJson = readIfThere(file);
  if (hooksJson === undefined) return [];
  const names = [path.join(fs.realpathSync(home), path.basename(file)), fs.realpathSync(file)];
  return codexHookTrust(hooksJson, names, readIfThere(path.join(home, 'config.toml')));
}

function hooksFileOf(home: string): string {
  return path.join(home, 'hooks.json');
}

/** What is left to do, or nothing when Codex trusts every hook of ours already. */
function trustNote(home: string): string[] {
  try {
    const statuses = readCodexTrust(home);
    const open = statuses.filter((status) => status.trust !== 'trusted');
    return statuses.length > 0 && open.length === 0 ? [] : [TRUST_STEP];
  } catch {
    return [TRUST_STEP];
  }
}

function readIfThere(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

function resultOf(
  outcome: { file: string; changed: boolean; record?: FileRecord },
  messages: string[],
  counts: CodexHookCounts,
): CodexHooksResult {
  const { file, changed } = outcome;
  const result: CodexHooksResult = { messages, changed, counts, file, createdHooks: false };
  if (outcome.record !== undefined) result.record = outcome.record;
  return result;
}
