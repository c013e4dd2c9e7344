import type { Surroundings } from './paths.ts';

/**
 * This process's surroundings: its environment, platform, home (`HOME` first) and user id. node:os is loaded only where
 * it is asked, since every hook would wait for it.
 */
export function currentSurroundings(): Surroundings {
  return {
    env: process.env,
    platform: process.platform,
    home: process.env.HOME || process.getBuiltinModule('node:os').homedir(),
    uid: process.getuid?.() ?? 0,
  };
}
