import path from 'node:path';

/** The project's folder. */
export const REPOSITORY = path.join(import.meta.dirname, '../..');

/** Folder of the built programs that tests start: dist/, or where OMNI_DEV_BUILD_DIR had them built. */
export const PROGRAMS_DIR = path.resolve(REPOSITORY, process.env.OMNI_DEV_BUILD_DIR ?? 'dist');

/** The built command line. */
export const OMNI_DEV = path.join(PROGRAMS_DIR, 'omni-dev.cjs');
