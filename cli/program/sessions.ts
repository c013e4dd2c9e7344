import { type Command, Option } from 'commander';
import { FORMATS } from '../view/formats/names.ts';
import { addAttentionCommands } from './attention.ts';
import { addCatalogCommands } from './catalog.ts';
import { type CommandHost, runs, wholeNumber, withExamples, withOutput, withSocket } from './command-host.ts';
import { addInstallerCommands } from './installers.ts';
import { addStartUpPrograms } from './start-up-programs.ts';

/** `omni-dev sessions …` */
export function addSessionsCommands(program: Command, host: CommandHost): void {
  const sessions = program.command('sessions').description('what every agent session is doing');
  addList(sessions, host);
  addWatch(sessions, host);
  addWhy(sessions, host);
  addFocus(sessions, host);
  addAttentionCommands(sessions, host);
  addWindow(sessions, host);
  addInstallerCommands(sessions, host);
  addCatalogCommands(sessions, host);
  addStartUpPrograms(program, sessions);
}

function addList(sessions: Command, host: CommandHost): void {
  const list = withFormat(
    withOutput(withSocket(sessions.command('list').description('the live sessions, once'))),
  );
  withExamples(
    list,
    'omni-dev sessions list',
    'omni-dev sessions list -o json',
    "tmux set -g status-right '#(omni-dev sessions list --format tmux)'",
  );
  list.addHelpText(
    'after',
    '\nIn the STATE column "(failed)" marks a turn that ended in an error, "(+N)" work that\n' +
      'goes on in the background, "?" a state that is no longer confirmed.',
  );
  runs(list, host, () => import('../commands/sessions/list.ts'));
}

function addWatch(sessions: Command, host: CommandHost): void {
  const watch = withFormat(
    withOutput(withSocket(sessions.command('watch').description('the live sessions, as they change'))),
  );
  withExamples(
    watch,
    'omni-dev sessions watch              # live table; q quits',
    'omni-dev sessions watch -o json      # one line of JSON per change (also when piped)',
    'omni-dev sessions watch --format waybar',
  );
  runs(watch, host, () => import('../commands/sessions/watch.ts'));
}

function withFormat(command: Command): Command {
  return command.addOption(
    new Option('--format <surface>', 'text for a status bar, a menu or a prompt').choices([...FORMATS]),
  );
}

function addWhy(sessions: Command, host: CommandHost): void {
  const why = withOutput(
    withSocket(sessions.command('why').description('why a session is shown in its state')),
  );
  why.argument('<id>', 'id of the session, or the beginning of it');
  withExamples(why, 'omni-dev sessions why 129a4de8');
  runs(why, host, () => import('../commands/sessions/why.ts'));
}

function addFocus(sessions: Command, host: CommandHost): void {
  const focus = withSocket(
    sessions.command('focus').description('bring the editor window or tmux pane of a session to the front'),
  ).argument('<id>', 'id of the session, or the beginning of it');
  withExamples(focus, 'omni-dev sessions focus 129a4de8');
  runs(focus, host, () => import('../commands/sessions/focus.ts'));
}

function addWindow(sessions: Command, host: CommandHost): void {
  const window = withSocket(sessions.command('window').description('report what an editor window shows'))
    .requiredOption('--key <key>', 'id of the window')
    .option('--folder <path>', 'a folder open in the window (repeatable)', collect, [])
    .option('--tabs <n>', 'agent tabs in the window', wholeNumber, 0)
    .option('--terminals <n>', 'agent terminals in the window', wholeNumber, 0);
  withExamples(window, 'omni-dev sessions window --key w1 --folder /src/shop --tabs 1');
  runs(window, host, () => import('../commands/sessions/window.ts'));

  const unregister = withSocket(
    sessions.command('window-unregister').description('take back the report of an editor window'),
  ).requiredOption('--key <key>', 'id of the window');
  withExamples(unregister, 'omni-dev sessions window-unregister --key w1');
  runs(unregister, host, () => import('../commands/sessions/window-unregister.ts'));
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}
