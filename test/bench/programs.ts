import path from 'node:path';

/** The folder of the programs under test: `dist`, or another build (OMNI_DEV_BUILD_DIR, as build.mjs has it). */
const BUILD = path.resolve(import.meta.dirname, '../..', process.env.OMNI_DEV_BUILD_DIR ?? 'dist');

/** A built program of ours. */
export function built(name: 'claude-wrap' | 'daemon' | 'omni-dev'): string {
  return path.join(BUILD, `${name}.cjs`);
}

/** A program that only benchmarks use. */
export function fixture(name: 'bare-relay' | 'echo-server' | 'idle' | 'stream-source'): string {
  return path.join(import.meta.dirname, 'programs', `${name}.cjs`);
}
