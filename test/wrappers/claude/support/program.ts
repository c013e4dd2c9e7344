import path from 'node:path';
import { PROGRAMS_DIR } from '../../../support/programs.ts';

/** The built wrapper. */
export const claudeWrapProgram = path.join(PROGRAMS_DIR, 'claude-wrap.cjs');
