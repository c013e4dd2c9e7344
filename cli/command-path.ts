import { existsSync } from 'node:fs';
import path from 'node:path';
import { resolvePaths } from '../contract/paths.ts';
import type { CliContext } from './context.ts';

/** Absolute path by which other programs can run us: the installed command, whose path never changes, else this build. */
export function commandPath({ around, programsDir }: CliContext): string {
  const { commandShim } = resolvePaths(around);
  return existsSync(commandShim) ? commandShim : path.join(programsDir, 'omni-dev.cjs');
}
