import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';

/** The transcripts folder: OMNI_DEV_CLAUDE_PROJECTS_DIR as it is, else `projects` in Claude's configuration folder. */
export function transcriptsRoot(around: Pick<Surroundings, 'env' | 'home'>): string {
  const named = around.env.OMNI_DEV_CLAUDE_PROJECTS_DIR;
  if (named !== undefined && named !== '') return named;
  const config = around.env.CLAUDE_CONFIG_DIR;
  return path.posix.join(config || path.posix.join(around.home, '.claude'), 'projects');
}

/**
 * The folder name in which Claude keeps the transcripts of a working directory: everything outside `[A-Za-z0-9]` becomes
 * a hyphen. Lossy, so it is never decoded.
 */
export function encodeProjectFolder(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}
