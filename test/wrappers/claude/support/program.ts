import path from 'node:path';

/** The built wrapper. */
export const claudeWrapProgram = path.join(import.meta.dirname, '../../../../dist/claude-wrap.cjs');
