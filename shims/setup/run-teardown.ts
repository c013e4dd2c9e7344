import { OmniDevError } from '../../contract/errors.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { readRegularFile } from '../../contract/regular-file.ts';
import { ConfigFileError } from '../edit/config-file-error.ts';
import { editConfigFile, type FileRecord } from '../edit/edit-config-file.ts';
import { restoreFile } from '../edit/restore-file.ts';
import { defaultEditor, type EditorPlace } from '../editors/editor-places.ts';
import { findEditors } from '../editors/find-editors.ts';
import { uninstallWrapper } from '../editors/install-wrapper.ts';
import { HOOKS } from '../hooks/hook-entries.ts';
import { uninstallHooks } from '../hooks/install-hooks.ts';
import { removePrograms } from '../install/remove-programs.ts';
import type { SetupResult } from './run-setup.ts';
import { EMPTY_RECORD, readSetupRecord, type SetupRecord, writeSetupRecord } from './setup-record.ts';

export interface TeardownOptions {
  around: Surroundings;
  paths: Paths;
}

/**
 * Takes back what setups did: each file gets its old bytes, or goes if there was none, where nobody else has changed it
 * since; else our entries alone are taken out. What `install-wrapper` and `install-hooks` put anywhere goes too. The
 * programs go last, and stay while a file that was refused may still name them.
 *
 * @throws OmniDevError when the record of the setups cannot be read; nothing is touched then.
 */
export async function runTeardown({ around, paths }: TeardownOptions): Promise<SetupResult> {
  const record = readSetupRecord(paths);
  const result: SetupResult = { messages: [], changed: false, refused: [] };
  const left = await restoreAll(record.files, result);
  await takeOutWrapper(around, paths, record, result);
  await takeOutHooks(around, paths, record, result);
  for (const file of record.createdHooks) await guarded(result, () => dropEmptyHooks(file));
  setAsideHarmless(result);
  if (result.refused.length > 0) {
    writeSetupRecord(paths, { ...record, files: left });
    result.messages.push(`kept the programs in ${paths.runtimeDir}, because settings may still name them`);
    return result;
  }
  writeSetupRecord(paths, EMPTY_RECORD);
  const removed = removePrograms(paths);
  result.changed ||= removed;
  if (removed) result.messages.push(`removed the programs from ${paths.runtimeDir}`);
  return result;
}

/** Restores what can be restored. Returns the records of files that were refused. */
async function restoreAll(files: readonly FileRecord[], result: SetupResult): Promise<FileRecord[]> {
  const left: FileRecord[] = [];
  for (const record of files) {
    const done = await guarded(result, async () => {
      const outcome = await restoreFile(record);
      if (outcome === 'restored') result.messages.push(`restored ${record.file}`);
      if (outcome === 'removed') result.messages.push(`removed ${record.file}, which was not there before`);
      result.changed ||= outcome === 'restored' || outcome === 'removed';
    });
    if (!done) left.push(record);
  }
  return left;
}

async function takeOutWrapper(
  around: Surroundings,
  paths: Paths,
  record: SetupRecord,
  result: SetupResult,
): Promise<void> {
  const known = [defaultEditor(around), ...findEditors(around)];
  const named = record.editors.map((settings): EditorPlace => ({ name: settings, settings, sign: settings }));
  const editors = [...new Map([...known, ...named].map((editor) => [editor.settings, editor])).values()];
  const earlier = new Map(Object.entries(record.earlierWrappers));
  const done = await uninstallWrapper({ around, paths, editors, earlier });
  result.refused.push(...done.refused);
  result.changed ||= done.changed;
  if (done.changed) result.messages.push(...done.messages);
}

async function takeOutHooks(
  around: Surroundings,
  paths: Paths,
  { claudeSettings, codexHome, piAgentDir }: SetupRecord,
  result: SetupResult,
): Promise<void> {
  const done = await uninstallHooks({
    around,
    paths,
    ...(claudeSettings === undefined ? {} : { settings: claudeSettings }),
    ...(codexHome === undefined ? {} : { codexHome }),
    ...(piAgentDir === undefined ? {} : { piAgentDir }),
  });
  result.refused.push(...done.refused);
  result.changed ||= done.changed;
  if (done.changed) result.messages.push(...done.messages);
}

/** Removes a `hooks` member that a setup put there, if nothing is in it. */
async function dropEmptyHooks(file: string): Promise<void> {
  await editConfigFile({
    file,
    createMissing: false,
    edit: (text) => {
      const isEmptyObject = JSON.stringify(text.value([HOOKS])) === '{}';
      if (isEmptyObject) text.remove([HOOKS]);
    },
  });
}

/** A file that was broken before us and does not name us keeps nothing from being removed. */
function setAsideHarmless(result: SetupResult): void {
  const harmless = result.refused.filter((refused) => !mayNameUs(refused));
  result.messages.push(...harmless.map((refused) => refused.message));
  result.refused = result.refused.filter((refused) => !harmless.includes(refused));
}

function mayNameUs(refused: OmniDevError): boolean {
  if (!(refused instanceof ConfigFileError)) return true;
  try {
    return readRegularFile(refused.file).includes('omni-dev');
  } catch {
    return true;
  }
}

/** Runs a part; a refusal of it is kept and answers false. */
async function guarded(result: SetupResult, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (!(error instanceof OmniDevError)) throw error;
    result.refused.push(error);
    return false;
  }
}
