import { type Command, Option } from 'commander';
import { WAIT_STATES } from '../attention/wait-states.ts';
import {
  type CommandHost,
  positiveNumber,
  runs,
  withExamples,
  withOutput,
  withSocket,
} from './command-host.ts';

/** `omni-dev sessions wait`, `notify` and `stats`: what sessions want of a person, and how long they stood. */
export function addAttentionCommands(sessions: Command, host: CommandHost): void {
  addWait(sessions, host);
  addNotify(sessions, host);
  addStats(sessions, host);
}

function addStats(sessions: Command, host: CommandHost): void {
  const stats = withOutput(
    withSocket(sessions.command('stats').description('how long sessions stood waiting for me today')),
  );
  withExamples(stats, 'omni-dev sessions stats');
  runs(stats, host, () => import('../commands/sessions/stats.ts'));
}

function addWait(sessions: Command, host: CommandHost): void {
  const wait = withOutput(
    withSocket(sessions.command('wait').description('wait until a session is in a state')),
  )
    .argument('[id]', 'id of the session, or the beginning of it')
    .option('--any', 'any session instead of one')
    .addOption(new Option('--for <state>', 'what to wait for').choices([...WAIT_STATES]).default('waiting'))
    .option('--timeout <seconds>', 'give up after this time with exit code 124', positiveNumber);
  withExamples(
    wait,
    'omni-dev sessions wait 129a4de8 --for idle && make test',
    'omni-dev sessions wait --any --for waiting --timeout 600',
  );
  runs(wait, host, () => import('../commands/sessions/wait.ts'));
}

function addNotify(sessions: Command, host: CommandHost): void {
  const notify = withSocket(sessions.command('notify').description('tell me when a session waits for me'))
    .option('--desktop', 'a notification of the desktop (default, with a line on stdout)')
    .option('--bell', "the terminal's bell")
    .option('--terminal', 'a notification of the terminal (OSC 9)')
    .option('--command <command>', 'run this by the shell, with the notice as JSON on its stdin')
    .option('--done', 'also when a turn is done')
    .option('--no-failed', 'not when a turn ended with an error');
  withExamples(notify, 'omni-dev sessions notify', "omni-dev sessions notify --command 'jq -r .name | say'");
  runs(notify, host, () => import('../commands/sessions/notify.ts'));
}
