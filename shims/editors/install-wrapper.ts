import fs from 'node:fs';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { ConfigFileError } from '../edit/config-file-error.ts';
import { editConfigFile, type FileRecord } from '../edit/edit-config-file.ts';
import type { LockOptions } from '../edit/file-lock.ts';
import { type InstallProgramsOptions, installPrograms } from '../install/install-programs.ts';
import { defaultEditor, type EditorPlace } from './editor-places.ts';
import { findEditors, profileSettings } from './find-editors.ts';
import { type ClearedSetting, clearShim, installEdit, WRAPPER_SETTING } from './wrapper-setting.ts';

export interface WrapperOptions {
  around: Surroundings;
  paths: Paths;
  /** `--settings`: edit this file alone. */
  settings?: string;
  /** Edit these alone. */
  editors?: readonly EditorPlace[];
  /** `--shim`: path of the shim in place of the one in the runtime directory. */
  shim?: string;
  lock?: LockOptions;
}

export interface InstallWrapperOptions extends WrapperOptions {
  /** Folder with the programs of this build. */
  builtIn: string;
  /** For the choice of Node; see {@link InstallProgramsOptions}. */
  programs?: Partial<InstallProgramsOptions>;
}

/** What an installation did, for the command line to print and for `setup` to record. */
export interface WrapperResult {
  /** Lines for the user, in order. */
  messages: string[];
  /** True when a setting changed. */
  changed: boolean;
  shim: string;
  /** Records of the edited files. */
  records: FileRecord[];
  /** Per settings file, the value of another wrapper that ours replaced. */
  earlier: Map<string, string>;
  /** Settings that were left alone, each with its reason and its fix: the command failed for them. */
  refused: ConfigFileError[];
}

/** The files a wrapper command edits: the named one, or VS Code's and those of every other editor that is here. */
export function wrapperTargets({ around, settings, editors }: WrapperOptions): readonly EditorPlace[] {
  if (editors !== undefined) return editors;
  if (settings !== undefined) return [{ name: settings, settings, sign: settings }];
  const first = defaultEditor(around);
  return [first, ...findEditors(around).filter((editor) => editor.settings !== first.settings)];
}

/**
 * Installs the wrapper: programs and shim first, so that a setting never points at nothing, then each editor's setting.
 *
 * @throws OmniDevError when the shim cannot be written; no setting is touched then.
 */
export async function installWrapper(options: InstallWrapperOptions): Promise<WrapperResult> {
  const shim = options.shim ?? options.paths.wrapperShim;
  const { paths, builtIn } = options;
  installPrograms({
    paths,
    builtIn,
    searchPath: options.around.env.PATH ?? '',
    ...options.programs,
    wrapperShim: shim,
  });
  const result = emptyResult(shim);
  result.messages.push(`wrapper shim: ${shim}`);
  await forEachEditor(options, result, async (editor) => {
    let earlier: unknown;
    const edit = installEdit(editor.settings, shim);
    const outcome = await editConfigFile({
      ...edit,
      edit: (text) => {
        earlier = text.value([WRAPPER_SETTING]);
        edit.edit(text);
      },
      ...(options.lock === undefined ? {} : { lock: options.lock }),
    });
    if (outcome.changed && typeof earlier === 'string') result.earlier.set(editor.settings, earlier);
    result.messages.push(
      outcome.changed
        ? `set ${WRAPPER_SETTING} in ${editor.settings}`
        : `${WRAPPER_SETTING} already points there in ${editor.settings} (no change)`,
    );
    if (outcome.record !== undefined) result.records.push(outcome.record);
    for (const file of profileSettings(editor)) {
      result.messages.push(
        `a profile has settings of its own: to wrap it too, run again with --settings ${file}`,
      );
    }
  });
  result.changed = result.records.length > 0;
  if (result.changed)
    result.messages.push('Reload VS Code: only Claude sessions started afterwards are wrapped.');
  return result;
}

export interface UninstallWrapperOptions extends WrapperOptions {
  /** Per settings file, the value that `setup` found and replaced: it comes back in place of ours. */
  earlier?: ReadonlyMap<string, string>;
}

/**
 * Takes the wrapper out of every editor's settings and removes the shim. The shim stays while a file that could not be
 * edited may still point at it: without it, Claude would not start there.
 */
export async function uninstallWrapper(options: UninstallWrapperOptions): Promise<WrapperResult> {
  const shim = options.shim ?? options.paths.wrapperShim;
  const result = emptyResult(shim);
  await forEachEditor(options, result, async (editor) => {
    result.messages.push(...(await uninstallFrom(editor, shim, options, result)));
  });
  result.changed = result.records.length > 0;
  if (result.refused.length > 0) result.messages.push(`kept ${shim}, because settings may still point at it`);
  else if (removeShim(shim)) result.messages.push(`removed ${shim}`);
  if (result.changed) result.messages.push('Reload VS Code to run Claude without the wrapper.');
  return result;
}

async function uninstallFrom(
  editor: EditorPlace,
  shim: string,
  { earlier, lock }: UninstallWrapperOptions,
  result: WrapperResult,
): Promise<string[]> {
  const file = editor.settings;
  let found: ClearedSetting = 'absent';
  const outcome = await editConfigFile({
    file,
    createMissing: false,
    edit: (text) => {
      found = clearShim(text, shim, earlier?.get(file));
    },
    ...(lock === undefined ? {} : { lock }),
  });
  if (outcome.record !== undefined) result.records.push(outcome.record);
  return [clearedMessage(outcome.exists ? found : undefined, file)];
}

function clearedMessage(found: ClearedSetting | undefined, file: string): string {
  switch (found) {
    case undefined:
      return `no settings file at ${file} (nothing to remove)`;
    case 'cleared':
      return `cleared ${WRAPPER_SETTING} in ${file}`;
    case 'foreign':
      return `${WRAPPER_SETTING} in ${file} does not point at our shim; left alone`;
    case 'absent':
      return `${WRAPPER_SETTING} is not set in ${file} (no change)`;
  }
}

/** Edits one editor after the other. One that is refused keeps none of the others from being edited. */
async function forEachEditor(
  options: WrapperOptions,
  result: WrapperResult,
  edit: (editor: EditorPlace) => Promise<void>,
): Promise<void> {
  for (const editor of wrapperTargets(options)) {
    try {
      await edit(editor);
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error;
      result.refused.push(error);
    }
  }
}

function emptyResult(shim: string): WrapperResult {
  return { messages: [], changed: false, shim, records: [], earlier: new Map(), refused: [] };
}

/** True when there was one. */
function removeShim(shim: string): boolean {
  if (!fs.existsSync(shim)) return false;
  fs.rmSync(shim);
  return true;
}
