import { builtinModule } from './builtin-module.ts';
import type { Surroundings } from './paths.ts';

function homeOfUser(): string {
  return (builtinModule('node:os') as typeof import('node:os')).homedir();
}

/** This process's surroundings: its environment, platform, home (`HOME` first) and user id. */
export function currentSurroundings(): Surroundings {
  return {
    env: process.env,
    platform: process.platform,
    home: process.env.HOME || homeOfUser(),
    uid: process.getuid?.() ?? 0,
  };
}
