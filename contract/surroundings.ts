import os from 'node:os';
import type { Surroundings } from './paths.ts';

/** This process's surroundings: its environment, platform, home (`HOME` first) and user id. */
export function currentSurroundings(): Surroundings {
  return {
    env: process.env,
    platform: process.platform,
    home: process.env.HOME || os.homedir(),
    uid: process.getuid?.() ?? 0,
  };
}
