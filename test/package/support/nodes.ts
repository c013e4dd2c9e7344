import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../../support/programs.ts';

/** Major versions of Node that the package is tried on: the oldest that it admits, and today's. */
export const WANTED_MAJORS = [20, 24] as const;

/** Places where a Node may be, apart from the one that runs the tests. */
function candidates(): string[] {
  const lab = process.env.OMNI_DEV_LAB_DIR ?? path.join(REPOSITORY, 'test/lab/.agents');
  const versions = path.join(process.env.NVM_DIR ?? '/usr/local/nvm', 'versions/node');
  const managed = existsSync(versions)
    ? readdirSync(versions).map((name) => path.join(versions, name, 'bin/node'))
    : [];
  const onPath = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
  const inLab = path.join(lab, `node24/node_modules/node-${process.platform}-${process.arch}/bin/node`);
  return [process.execPath, inLab, ...managed, ...onPath];
}

/** The Nodes that are here, by major version; OMNI_DEV_TEST_NODES names more of them, separated by colons. */
export function nodesHere(): Map<number, string> {
  const named = (process.env.OMNI_DEV_TEST_NODES ?? '').split(':').filter(Boolean);
  const nodes = new Map<number, string>();
  for (const node of [...named, ...candidates()].filter((file) => existsSync(file))) {
    const major = majorOf(node);
    if (major !== undefined && !nodes.has(major)) nodes.set(major, node);
  }
  return nodes;
}

function majorOf(node: string): number | undefined {
  try {
    const said = execFileSync(node, ['--version'], { stdio: 'pipe', timeout: 30_000 }).toString();
    const major = /^v(\d+)\./.exec(said)?.[1];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}
