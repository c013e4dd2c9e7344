import fs from 'node:fs';
import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import type { Surroundings } from '../../contract/paths.ts';
import {
  assertWritable,
  type ConfigFileState,
  readConfigFile,
  resolveTarget,
  sha256,
} from '../edit/config-file.ts';
import { ConfigFileError } from '../edit/config-file-error.ts';
import { type FileRecord, removeEmptyFolders } from '../edit/edit-config-file.ts';
import { createFolders, ownerForNewFile, writeFileAtomically } from '../edit/write-file.ts';
import { isPiInstalled, piExtensionFile } from './find-pi.ts';
import { isOurPiExtension, piExtensionText } from './pi-extension-text.ts';

export interface PiExtensionOptions {
  around: Surroundings;
  /** `--pi-agent-dir`: this agent directory, whether or not pi is found on this machine. */
  piAgentDir?: string;
}

export interface InstallPiExtensionOptions extends PiExtensionOptions {
  /** The daemon's socket; it is written into the file. */
  socket: string;
  /** Folder with the programs of this build. */
  builtIn: string;
}

/** What was done, for the command line to print and for `setup` to record. */
export interface PiExtensionResult {
  /** Lines for the user, in order. */
  messages: string[];
  changed: boolean;
  /** The extension's path, whether or not it is there. */
  file: string;
  /** Takes an installation back byte for byte. */
  record?: FileRecord;
}

/**
 * Writes the extension into pi's extensions folder, when pi is installed or its agent directory is named. It is
 * loaded by pi sessions that start from then on.
 *
 * @throws OmniDevError `PI_EXTENSION_NOT_OURS` when a file of that name was not written by us, and a ConfigFileError when
 *   it cannot be read or written. Nothing is changed then.
 */
export function installPiExtension(options: InstallPiExtensionOptions): PiExtensionResult {
  const { around, piAgentDir, socket, builtIn } = options;
  const file = piExtensionFile(around, piAgentDir);
  if (piAgentDir === undefined && !isPiInstalled(around))
    return { messages: ['pi not detected; its sessions extension was not installed'], changed: false, file };

  const { text, target, before, changed } = planFile(file, socket, builtIn);
  if (!changed)
    return {
      messages: [`pi sessions extension already installed in ${file} (no change)`],
      changed: false,
      file,
    };

  const record = write(file, target, before, text);
  const messages = [
    `installed the pi sessions extension in ${file}`,
    'pi sessions that start from now on report their state',
  ];
  return { messages, changed: true, file, record };
}

/**
 * Tells what {@link installPiExtension} would do where pi is installed, without doing it.
 *
 * @throws OmniDevError as it would
 */
export function previewPiExtension({
  around,
  socket,
  builtIn,
}: Omit<InstallPiExtensionOptions, 'piAgentDir'>): { exists: boolean; changed: boolean } {
  const { before, changed } = planFile(piExtensionFile(around), socket, builtIn);
  return { exists: before !== undefined, changed };
}

interface FilePlan {
  text: string;
  /** The real file behind links. */
  target: string;
  before: ConfigFileState | undefined;
  changed: boolean;
}

function planFile(file: string, socket: string, builtIn: string): FilePlan {
  const text = piExtensionText(fs.readFileSync(path.join(builtIn, 'pi-extension.js'), 'utf8'), socket);
  const target = resolveTarget(file);
  const before = readConfigFile(file, target);
  if (before !== undefined && !isOurPiExtension(before.text)) throw notOurs(file);
  const changed = before === undefined || !before.bytes.equals(Buffer.from(text));
  if (before !== undefined && changed) assertWritable(file, target, before, '');
  return { text, target, before, changed };
}

/** Removes the extension, whether or not pi is still installed. A file that is not ours is left alone. */
export function uninstallPiExtension(options: PiExtensionOptions): PiExtensionResult {
  const file = piExtensionFile(options.around, options.piAgentDir);
  const target = existingTarget(file);
  const state = target === undefined ? undefined : readConfigFile(file, target);
  if (target === undefined || state === undefined)
    return { messages: [`no pi sessions extension at ${file} (nothing to remove)`], changed: false, file };
  if (!isOurPiExtension(state.text))
    return { messages: [`${file} was not written by omni-dev; left alone`], changed: false, file };
  fs.rmSync(target);
  // Where the file was reached through a link, the link would now lead nowhere.
  fs.rmSync(file, { force: true });
  return { messages: [`removed the pi sessions extension ${file}`], changed: true, file };
}

function notOurs(file: string): OmniDevError {
  return new OmniDevError(
    'PI_EXTENSION_NOT_OURS',
    `${file} was not written by omni-dev; refusing to overwrite it. Move it away and run the command again.`,
  );
}

/** The real file, or undefined where there is none: a link that leads nowhere counts as none. */
function existingTarget(file: string): string | undefined {
  try {
    return resolveTarget(file);
  } catch (error) {
    if (error instanceof ConfigFileError && error.code === 'CONFIG_LINK_BROKEN') return undefined;
    throw error;
  }
}

function write(file: string, target: string, before: ConfigFileState | undefined, text: string): FileRecord {
  const folder = path.dirname(target);
  let createdFolders: string[] = [];
  try {
    createdFolders = createFolders(folder);
    writeFileAtomically(target, text, before ?? { mode: 0o644, ...ownerForNewFile(folder) });
  } catch (error) {
    removeEmptyFolders(createdFolders);
    throw new ConfigFileError(
      'CONFIG_UNWRITABLE',
      file,
      `cannot be written (${error instanceof Error ? error.message : String(error)})`,
      'Make its folder writable to you and run the command again.',
      { cause: error },
    );
  }
  return {
    file,
    target,
    created: before === undefined,
    createdFolders,
    byteOrderMark: before?.byteOrderMark ?? false,
    before: sha256(before?.bytes ?? Buffer.alloc(0)),
    after: sha256(Buffer.from(text)),
    changes: [{ offset: 0, removed: before?.text ?? '', inserted: text }],
  };
}
