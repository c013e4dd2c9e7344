import { OmniDevError } from '../../contract/errors.ts';
import type { Paths } from '../../contract/paths.ts';
import type { FileRecord } from '../edit/edit-config-file.ts';
import { takeLock } from '../edit/file-lock.ts';
import { installWrapper } from '../editors/install-wrapper.ts';
import { claudeSettingsFile, installClaudeHooks } from '../hooks/install-claude-hooks.ts';
import { codexHome, codexVersionOf, findCodex, installCodexHooks } from '../hooks/install-codex-hooks.ts';
import { canonicalCommand } from '../hooks/sink-command.ts';
import { type InstallProgramsOptions, installPrograms } from '../install/install-programs.ts';
import { installPiExtension } from '../pi/install.ts';
import type { SetupOptions, SetupStep } from './setup-plan.ts';
import {
  readSetupRecord,
  type SetupRecord,
  setupRecordPath,
  union,
  withFiles,
  writeSetupRecord,
} from './setup-record.ts';

/** How long one step of another setup is waited for; asking Codex for its version may take most of that. */
const OTHER_SETUP_MS = 20_000;

/** What a setup did. */
export interface SetupResult {
  /** Lines for the user, in order; the manual steps that are left are among them. */
  messages: string[];
  changed: boolean;
  /** Steps that failed, each with its reason and its fix. */
  refused: OmniDevError[];
}

export interface RunSetupOptions extends SetupOptions {
  /** For the choice of Node; see {@link InstallProgramsOptions}. */
  programs?: Partial<InstallProgramsOptions>;
}

/**
 * Makes the chosen changes of a plan and records each at once, so that a setup that is interrupted can be taken back too.
 *
 * @throws OmniDevError when the programs cannot be written or an earlier record cannot be read; no settings are touched
 *   then.
 */
export async function runSetup(options: RunSetupOptions, steps: readonly SetupStep[]): Promise<SetupResult> {
  const { around, paths, builtIn } = options;
  const result: SetupResult = { messages: [], changed: false, refused: [] };
  // Before anything is written: a record that cannot be read is the end of it.
  readSetupRecord(paths);
  const { changed } = installPrograms({
    paths,
    builtIn,
    searchPath: around.env.PATH ?? '',
    ...options.programs,
  });
  result.changed = changed;
  for (const step of steps) {
    try {
      const done = await recorded(paths, () => runStep(options, step));
      result.messages.push(...done.messages);
      result.refused.push(...(done.refused ?? []));
      result.changed ||= done.files.length > 0;
    } catch (error) {
      if (!(error instanceof OmniDevError)) throw error;
      result.refused.push(error);
    }
  }
  return result;
}

/** Runs a step and records it. Another setup at the same time waits: it would write a record that forgets this step. */
async function recorded(paths: Paths, run: () => Promise<StepDone>): Promise<StepDone> {
  const file = setupRecordPath(paths);
  const lock = await takeLock(file, file, { waitMs: OTHER_SETUP_MS });
  try {
    const done = await run();
    const record = readSetupRecord(paths);
    writeSetupRecord(paths, { ...withFiles(record, done.files), ...done.remember?.(record) });
    return done;
  } finally {
    lock.release();
  }
}

interface StepDone {
  messages: string[];
  files: FileRecord[];
  refused?: OmniDevError[];
  /** What `teardown` has to know beside the files. */
  remember?(record: SetupRecord): Partial<SetupRecord>;
}

function runStep(options: RunSetupOptions, step: SetupStep): Promise<StepDone> {
  switch (step.kind) {
    case 'editor':
      return setUpEditor(options, step);
    case 'claude-hooks':
      return setUpClaude(options);
    case 'codex-hooks':
      return setUpCodex(options);
    case 'pi-extension':
      return setUpPi(options);
  }
}

async function setUpEditor(
  { around, paths, builtIn, programs }: RunSetupOptions,
  step: SetupStep,
): Promise<StepDone> {
  const editors = step.editor === undefined ? [] : [step.editor];
  const done = await installWrapper({
    around,
    paths,
    builtIn,
    editors,
    ...(programs === undefined ? {} : { programs }),
  });
  return {
    messages: done.messages,
    files: done.records,
    refused: done.refused,
    remember: (record) => ({
      editors: union(record.editors, [step.file]),
      earlierWrappers: { ...Object.fromEntries(done.earlier), ...record.earlierWrappers },
    }),
  };
}

async function setUpClaude({ around, paths }: RunSetupOptions): Promise<StepDone> {
  const file = claudeSettingsFile(around);
  const done = await installClaudeHooks({ file, command: canonicalCommand(paths.commandShim, 'claude') });
  return {
    messages: done.messages,
    files: filesOf(done.record),
    remember: (record) => ({
      claudeSettings: file,
      createdHooks: union(record.createdHooks, done.createdHooks ? [file] : []),
    }),
  };
}

async function setUpCodex({ around, paths }: RunSetupOptions): Promise<StepDone> {
  const home = codexHome(around);
  const program = findCodex(around);
  const codexVersion = program === undefined ? undefined : codexVersionOf(program);
  const command = canonicalCommand(paths.commandShim, 'codex');
  const done = await installCodexHooks({ home, command, codexVersion });
  return {
    messages: done.messages,
    files: filesOf(done.record),
    remember: (record) => ({
      codexHome: home,
      createdHooks: union(record.createdHooks, done.createdHooks ? [done.file] : []),
    }),
  };
}

async function setUpPi({ around, paths, builtIn }: RunSetupOptions): Promise<StepDone> {
  const done = installPiExtension({ around, socket: paths.socket, builtIn });
  return { messages: done.messages, files: filesOf(done.record) };
}

function filesOf(record: FileRecord | undefined): FileRecord[] {
  return record === undefined ? [] : [record];
}
