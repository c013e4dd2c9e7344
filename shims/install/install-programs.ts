import fs from 'node:fs';
import path from 'node:path';
import { OmniDevError, systemErrorCode } from '../../contract/errors.ts';
import type { Paths } from '../../contract/paths.ts';
import { COMMIT, VERSION } from '../../contract/version.ts';
import { writeFileAtomically } from '../edit/write-file.ts';
import { type CheckedNode, chooseNode, type OwnNode, ownNode } from './choose-node.ts';
import { commandShimText } from './command-shim.ts';
import { type InstalledRecord, readInstalledRecord, writeInstalledRecord } from './installed-record.ts';
import { NODE_PLACES, type NodePlaces } from './node-places.ts';
import { installVersion, removeOldVersions, type VersionFolder } from './version-folders.ts';
import { wrapperShimText } from './wrapper-shim.ts';

export interface InstallProgramsOptions {
  paths: Paths;
  /** Folder with the programs of this build (`dist`). */
  builtIn: string;
  /** Where the wrapper shim goes when it is wanted: `--shim`, or the path of {@link Paths}. */
  wrapperShim?: string;
  /** PATH to look for a Node on when our own cannot be used. */
  searchPath?: string;
  own?: OwnNode;
  /** Where the shims look for a Node when ours is gone. */
  places?: NodePlaces;
  version?: string;
  nowMs?: number;
}

export interface InstalledPrograms {
  node: CheckedNode;
  folder: string;
  commandShim: string;
  /** True when any file of ours was written. */
  changed: boolean;
}

/**
 * Copies the programs into the runtime directory and writes the shims that run them. Writes only what differs, so it
 * serves as the upgrade too; settings of users are not its business, and the shims keep their paths for good.
 *
 * @throws OmniDevError with the path and the reason when something cannot be written.
 */
export function installPrograms(options: InstallProgramsOptions): InstalledPrograms {
  const { paths, builtIn } = options;
  const version = options.version ?? VERSION;
  const node = chooseNode(options.own ?? ownNode(), options.searchPath ?? '');
  const versionFolder = guard(paths.bundlesDir, () => {
    makePrivateFolder(paths.bundlesDir);
    // What lies in it was made for its owner alone, whoever made the folder.
    fs.chmodSync(paths.runtimeDir, 0o700);
    return installVersion(paths.bundlesDir, builtIn, version);
  });
  const cli = path.resolve(builtIn, 'omni-dev.cjs');
  const { folder } = versionFolder;
  const { places = NODE_PLACES } = options;
  const command = commandShimText({ version, node: node.path, programs: folder, cli, places });
  const { commandShim } = paths;
  let changed = writeShim(commandShim, command) || versionFolder.isNew;
  const wrapper = options.wrapperShim ?? existing(paths.wrapperShim);
  if (wrapper !== undefined) {
    changed =
      writeShim(wrapper, wrapperShimText({ node: node.path, programs: folder, commandShim })) || changed;
  }
  record(paths.bundlesDir, {
    version,
    commit: COMMIT,
    node,
    cli,
    versionFolder,
    nowMs: options.nowMs ?? Date.now(),
  });
  return { node, folder, commandShim, changed };
}

/** Writes a shim where it differs, executable for its owner only. True when it was written. */
function writeShim(file: string, text: string): boolean {
  return guard(file, () => {
    if (isShim(file, text)) return false;
    makePrivateFolder(path.dirname(file));
    writeFileAtomically(file, text, { mode: 0o700 });
    return true;
  });
}

function isShim(file: string, text: string): boolean {
  try {
    return fs.readFileSync(file, 'utf8') === text && (fs.statSync(file).mode & 0o777) === 0o700;
  } catch {
    return false;
  }
}

function existing(file: string): string | undefined {
  return fs.existsSync(file) ? file : undefined;
}

/** Creates a folder that only its owner may enter. One that is there keeps its mode. */
function makePrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function record(
  bundlesDir: string,
  made: Pick<InstalledRecord, 'version' | 'commit' | 'cli'> & {
    node: CheckedNode;
    versionFolder: VersionFolder;
    nowMs: number;
  },
): void {
  const before = readInstalledRecord(bundlesDir);
  const current = made.versionFolder.name;
  const previous = before === undefined || before.current !== current ? before?.current : before.previous;
  const { version, commit, cli, node } = made;
  const after: InstalledRecord = {
    version,
    commit,
    node: node.path,
    nodeVersion: node.version,
    current,
    cli,
  };
  if (previous !== undefined) after.previous = previous;
  if (JSON.stringify(after) !== JSON.stringify(before)) writeInstalledRecord(bundlesDir, after);
  removeOldVersions(bundlesDir, [current, previous], made.nowMs);
}

function guard<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof OmniDevError || systemErrorCode(error) === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OmniDevError(
      'SHIM_UNWRITABLE',
      `cannot write ${file}: ${reason}. Make its folder writable to you and run the command again.`,
      { cause: error },
    );
  }
}
