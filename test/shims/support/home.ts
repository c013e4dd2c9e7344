import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Paths, resolvePaths, type Surroundings } from '../../../contract/paths.ts';
import { scratchFolder } from './scratch.ts';

export interface ThrowAwayHome {
  home: string;
  around: Surroundings;
  paths: Paths;
}

/** A user with nothing installed, in a home of its own. `name` is the folder's name, for odd characters. */
export function throwAwayHome(name = 'home', env: Record<string, string> = {}): ThrowAwayHome {
  const home = scratchFolder(name);
  mkdirSync(home, { recursive: true });
  const around: Surroundings = { env, platform: 'linux', home, uid: process.getuid?.() ?? 0 };
  return { home, around, paths: resolvePaths(around) };
}

/** A file of that home. */
export const inHome = ({ home }: ThrowAwayHome, ...parts: string[]) => path.join(home, ...parts);
