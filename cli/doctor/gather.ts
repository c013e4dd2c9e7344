import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../../contract/errors.ts';
import type { Paths, Surroundings } from '../../contract/paths.ts';
import { COMMIT, VERSION } from '../../contract/version.ts';
import { readDaemonRecords } from '../../daemon-lite/service/discovery.ts';
import { isTrustedLink } from '../../daemon-lite/service/runtime-directory.ts';
import { daemonStatus, versionSkew } from '../../daemon-lite/service/status.ts';
import { JsonText } from '../../shims/edit/json-text.ts';
import { findEditors } from '../../shims/editors/find-editors.ts';
import { WRAPPER_SETTING } from '../../shims/editors/wrapper-setting.ts';
import { ownNode, versionOf } from '../../shims/install/choose-node.ts';
import { readInstalledRecord } from '../../shims/install/installed-record.ts';
import { OLDEST_NODE_MAJOR } from '../../shims/install/launcher.ts';
import { isWrapperShim } from '../../shims/install/wrapper-shim.ts';
import type { DaemonFacts } from './daemon-findings.ts';
import { type FileFacts, fileFacts, unwritableAbove } from './file-facts.ts';
import type { NodeFacts } from './node-findings.ts';
import type { SocketFacts } from './socket-findings.ts';
import type { SettingState, WrapperFacts } from './wrapper-findings.ts';

const OWN = { version: VERSION, commit: COMMIT };

export function gatherSocket(around: Surroundings, paths: Paths): SocketFacts {
  const directory = path.dirname(paths.socket);
  return {
    paths,
    uid: around.uid,
    socket: fileFacts(paths.socket),
    directory: directoryFacts(directory, around.uid),
    blockedBy: unwritableAbove(directory),
  };
}

/** The directory, or what stands behind a link where the daemon follows it too. */
function directoryFacts(directory: string, uid: number): FileFacts {
  const facts = fileFacts(directory);
  const isFollowed = facts.kind === 'link' && existsSync(directory) && isTrustedLink(directory, facts, uid);
  return isFollowed ? fileFacts(realpathSync(directory)) : facts;
}

export async function gatherDaemon(around: Surroundings, paths: Paths): Promise<DaemonFacts> {
  const { socket } = paths;
  const records = readDaemonRecords(around.home).filter(({ pid }) => isAlive(pid));
  const status = await daemonStatus(socket).catch((error: unknown) => ({ failed: messageOf(error) }));
  const skew = 'failed' in status ? undefined : versionSkew(status);
  return { status, skew, records, socket: path.resolve(socket), own: OWN };
}

export function gatherNode(paths: Paths): NodeFacts {
  const { path: ownPath, version } = ownNode();
  const record = readInstalledRecord(paths.bundlesDir);
  const own = { path: ownPath, version };
  if (record === undefined) return { own, oldestMajor: OLDEST_NODE_MAJOR };
  const installed = { path: record.node, version: versionOf(record.node) };
  return { own, installed, oldestMajor: OLDEST_NODE_MAJOR };
}

export function gatherWrapper(around: Surroundings, paths: Paths): WrapperFacts {
  const shim = paths.wrapperShim;
  const record = readInstalledRecord(paths.bundlesDir);
  return {
    shim,
    file: fileFacts(shim),
    isOurs: isWrapperShim(textOf(shim) ?? ''),
    installed: record === undefined ? undefined : { version: record.version, commit: record.commit },
    own: OWN,
    editors: findEditors(around).map(({ name, settings }) => ({
      name,
      settings,
      state: settingOf(settings, shim),
    })),
  };
}

function settingOf(settings: string, shim: string): SettingState {
  try {
    const value = new JsonText(readFileSync(settings, 'utf8')).value([WRAPPER_SETTING]);
    if (value === undefined) return { is: 'absent' };
    return value === shim ? { is: 'shim' } : { is: 'other', value: String(value) };
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? { is: 'absent' } : { is: 'broken', why: messageOf(error) };
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
