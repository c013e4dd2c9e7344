import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installPrograms } from '../../../shims/install/install-programs.ts';
import { NODE_PLACES, type NodePlaces } from '../../../shims/install/node-places.ts';
import { type FakeBuild, fakeBuild } from './fake-build.ts';
import { type ThrowAwayHome, throwAwayHome } from './home.ts';
import { scratchFolder } from './scratch.ts';

/** Arguments that a careless shell would change. */
export const ODD = [
  '',
  ' ',
  'two words',
  "it's",
  '"quoted"',
  '$HOME',
  '`x`',
  'a\nb',
  '*',
  '--',
  '-x',
  '\\',
  'ü 漢',
];
/** An agent that prints its arguments as JSON, and ends as it is told to. */
const AGENT = `#!/bin/sh
exec ${process.execPath} -e 'process.stdout.write(JSON.stringify(process.argv.slice(1)));process.exitCode=Number(process.env.EXIT_WITH??0)' -- "$@"
`;

export interface Machine extends ThrowAwayHome {
  build: FakeBuild;
  /** Folder of the bundles the shims run. */
  folder: string;
  agent: string;
  /** A PATH on which no Node is. */
  barePath: string;
}

/** The places under the home alone: this machine's own Node must not be found. */
export const places: NodePlaces = {
  fixed: NODE_PLACES.fixed.filter((place) => place.startsWith('"$HOME')),
  versioned: NODE_PLACES.versioned,
  ofEditors: NODE_PLACES.ofEditors,
};

/** PATH with the few tools that the shims use, and nothing else. */
function pathWithoutNode(): string {
  const folder = scratchFolder();
  for (const tool of ['cat', 'env', 'sleep']) symlinkSync(`/bin/${tool}`, path.join(folder, tool));
  return folder;
}

export function shimMachine(name = 'home'): Machine {
  const user = throwAwayHome(name);
  const build = fakeBuild();
  const options = { paths: user.paths, builtIn: build.folder, wrapperShim: user.paths.wrapperShim, places };
  const own = { path: process.execPath, version: process.versions.node, isElectron: false };
  const { folder } = installPrograms({ ...options, own });
  const agent = path.join(user.home, 'agent');
  writeFileSync(agent, AGENT, { mode: 0o755 });
  return { ...user, build, folder, agent, barePath: pathWithoutNode() };
}

/** Makes the Node of the installation disappear, as a version manager does. */
export function loseNode(on: Machine): void {
  const own = { path: path.join(on.home, 'gone', 'node'), version: '22.0.0', isElectron: false };
  installPrograms({
    paths: on.paths,
    builtIn: on.build.folder,
    wrapperShim: on.paths.wrapperShim,
    own,
    places,
  });
}
