import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import { OLDEST_NODE_MAJOR } from './launcher.ts';
import { STABLE_NODE_NAMES } from './node-places.ts';

/** A Node that was seen to run. */
export interface CheckedNode {
  path: string;
  /** As `process.versions.node` has it. */
  version: string;
}

/** The Node that runs this installer. */
export interface OwnNode {
  path: string;
  version: string;
  /** True inside an editor's runtime, which is no Node for others. */
  isElectron: boolean;
}

/** This process's own Node. */
export function ownNode(): OwnNode {
  return {
    path: process.execPath,
    version: process.versions.node,
    isElectron: process.versions.electron !== undefined,
  };
}

/** True for a version that the programs run on. */
export function isNewEnough(version: string): boolean {
  return Number.parseInt(version, 10) >= OLDEST_NODE_MAJOR;
}

/**
 * The Node that the shims shall start: our own one, under a name that survives its upgrades where it has one, else the
 * first on PATH that is new enough.
 *
 * @throws OmniDevError `NODE_TOO_OLD` when there is none.
 */
export function chooseNode(own: OwnNode, searchPath: string): CheckedNode {
  if (!own.isElectron && isNewEnough(own.version))
    return { path: stableNameOf(own.path), version: own.version };
  for (const folder of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const candidate = path.join(folder, 'node');
    const version = versionOf(candidate);
    if (version !== undefined && isNewEnough(version)) return { path: candidate, version };
  }
  throw new OmniDevError(
    'NODE_TOO_OLD',
    `omni-dev needs Node.js ${OLDEST_NODE_MAJOR} or newer and found none on PATH. Install it and run the command again.`,
  );
}

/** Another name of the same file that an upgrade of Node keeps. */
function stableNameOf(nodePath: string): string {
  const real = realPathOf(nodePath);
  return STABLE_NODE_NAMES.find((name) => real !== undefined && realPathOf(name) === real) ?? nodePath;
}

function realPathOf(file: string): string | undefined {
  try {
    return fs.realpathSync(file);
  } catch {
    return undefined;
  }
}

/** What a Node says of itself, or undefined when it does not run. */
export function versionOf(nodePath: string): string | undefined {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const ran = spawnSync(nodePath, ['--version'], { encoding: 'utf8', timeout: 10_000, env });
  return ran.status === 0 ? /^v(\d+\.\d+\.\d+)/.exec(ran.stdout)?.[1] : undefined;
}
