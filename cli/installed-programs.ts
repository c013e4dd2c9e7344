import path from 'node:path';
import type { Paths } from '../contract/paths.ts';
import { installPrograms } from '../shims/install/install-programs.ts';
import { readInstalledRecord } from '../shims/install/installed-record.ts';
import type { CliContext } from './context.ts';

/**
 * Brings the installed copies and shims up to this build, where any are installed: an upgrade of the package reaches
 * hooks and editors by that, and their settings, and so Codex's trust, stay as they are. What cannot be written stays as
 * it was: the old copies work on.
 */
export function refreshInstalledPrograms(context: CliContext, paths: Paths): void {
  if (readInstalledRecord(paths.bundlesDir) === undefined) return;
  // The copy runs where the installation is gone. It is no installation to upgrade from.
  if (!path.relative(paths.bundlesDir, context.programsDir).startsWith('..')) return;
  try {
    installPrograms({ paths, builtIn: context.programsDir, searchPath: context.around.env.PATH ?? '' });
  } catch {
    // `doctor` tells which version is installed; a daemon must start all the same.
  }
}
