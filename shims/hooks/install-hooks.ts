import { OmniDevError } from '../../contract/errors.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import type { FileRecord } from '../edit/edit-config-file.ts';
import type { LockOptions } from '../edit/file-lock.ts';
import { type InstallProgramsOptions, installPrograms } from '../install/install-programs.ts';
import { installPiExtension, uninstallPiExtension } from '../pi/install.ts';
import { claudeSettingsFile, installClaudeHooks, uninstallClaudeHooks } from './install-claude-hooks.ts';
import {
  codexHome,
  codexVersionOf,
  findCodex,
  installCodexHooks,
  isCodexInstalled,
  uninstallCodexHooks,
} from './install-codex-hooks.ts';
import { canonicalCommand } from './sink-command.ts';

export interface HooksOptions {
  around: Surroundings;
  paths: Paths;
  /** `--settings`: Claude's settings file. */
  settings?: string;
  /** `--codex-home`: this Codex home, whether or not Codex is found. */
  codexHome?: string;
  /** `--pi-agent-dir`: this agent directory of pi, whether or not pi is found. */
  piAgentDir?: string;
  lock?: LockOptions;
}

export interface InstallHooksOptions extends HooksOptions {
  /** Folder with the programs of this build. */
  builtIn: string;
  /** For the choice of Node; see {@link InstallProgramsOptions}. */
  programs?: Partial<InstallProgramsOptions>;
}

/** What happened to the hooks of every agent. */
export interface AllHooksResult {
  /** Lines for the user, in order. */
  messages: string[];
  changed: boolean;
  records: FileRecord[];
  /** What was left alone, each with its reason and its fix: the command failed for it. */
  refused: OmniDevError[];
}

/** What the part of one agent gives back. */
type Part = { messages: string[]; changed: boolean; record?: FileRecord };

/**
 * Installs the sink into Claude's settings, and into Codex's hooks and pi's extensions where these are here. Programs come
 * first, so that no hook ever points at nothing. One agent that refuses keeps none of the others from being installed.
 *
 * @throws OmniDevError when the programs cannot be written; no settings are touched then.
 */
export async function installHooks(options: InstallHooksOptions): Promise<AllHooksResult> {
  const { around, paths, builtIn, settings, piAgentDir } = options;
  installPrograms({ paths, builtIn, searchPath: around.env.PATH ?? '', ...options.programs });
  const lock = lockOf(options);
  const result = emptyResult();
  await part(result, () =>
    installClaudeHooks({
      file: claudeSettingsFile(around, settings),
      command: canonicalCommand(paths.commandShim, 'claude'),
      ...lock,
    }),
  );
  await part(result, () => installForCodex(options));
  await part(result, () =>
    installPiExtension({
      around,
      socket: paths.socket,
      builtIn,
      ...(piAgentDir === undefined ? {} : { piAgentDir }),
    }),
  );
  return result;
}

async function installForCodex(options: InstallHooksOptions): Promise<Part> {
  const { around, paths } = options;
  if (options.codexHome === undefined && !isCodexInstalled(around))
    return { messages: ['Codex not detected; its hooks were not installed'], changed: false };
  const program = findCodex(around);
  return await installCodexHooks({
    home: codexHome(around, options.codexHome),
    command: canonicalCommand(paths.commandShim, 'codex'),
    codexVersion: program === undefined ? undefined : codexVersionOf(program),
    ...lockOf(options),
  });
}

/** Takes the sink out of every agent again, whether or not the agent is still here. The programs stay. */
export async function uninstallHooks(options: HooksOptions): Promise<AllHooksResult> {
  const { around, settings, piAgentDir } = options;
  const lock = lockOf(options);
  const result = emptyResult();
  await part(result, () => uninstallClaudeHooks({ file: claudeSettingsFile(around, settings), ...lock }));
  await part(result, () => uninstallCodexHooks({ home: codexHome(around, options.codexHome), ...lock }));
  await part(result, () =>
    uninstallPiExtension({ around, ...(piAgentDir === undefined ? {} : { piAgentDir }) }),
  );
  return result;
}

async function part(result: AllHooksResult, run: () => Part | Promise<Part>): Promise<void> {
  try {
    const { messages, changed, record } = await run();
    result.messages.push(...messages);
    result.changed ||= changed;
    if (record !== undefined) result.records.push(record);
  } catch (error) {
    if (!(error instanceof OmniDevError)) throw error;
    result.refused.push(error);
  }
}

function emptyResult(): AllHooksResult {
  return { messages: [], changed: false, records: [], refused: [] };
}

function lockOf({ lock }: HooksOptions): { lock?: LockOptions } {
  return lock === undefined ? {} : { lock };
}
