import { NO_SESSIONS } from '../view/list-table.ts';

/** What to do next when no session runs. */
export const EMPTY_HINT: readonly string[] = [
  NO_SESSIONS,
  '',
  'Start an agent in another terminal:      claude     or     codex',
  'It appears here by itself, with no hook installed.',
  '',
  'For Claude Code in VS Code, exact to the prompt:',
  '    omni-dev sessions install-wrapper',
  'To see it move without an agent:',
  '    omni-dev start --demo',
  'If an agent runs and is not shown:',
  '    omni-dev doctor',
];
