import { type Command, Option } from 'commander';
import { type CommandHost, runs, wholeNumber, withExamples, withOutput } from './command-host.ts';

/** `omni-dev sessions find|show|resume|pick`: past and present sessions, read from the agents' own files. */
export function addCatalogCommands(sessions: Command, host: CommandHost): void {
  addFind(sessions, host);
  addShow(sessions, host);
  addResume(sessions, host);
  addPick(sessions, host);
}

function addFind(sessions: Command, host: CommandHost): void {
  const find = withOutput(
    withFilters(sessions.command('find').argument('[words...]', 'words of titles, prompts and repositories')),
  )
    .description('past and present sessions of every agent, newest first')
    .option('-n, --limit <n>', 'how many to show; 0 for all', wholeNumber, 20)
    .option('--evidence', 'also read what each shown session touched');
  withExamples(
    find,
    'omni-dev sessions find',
    'omni-dev sessions find login retry --since 2w',
    'omni-dev sessions find --repo acme/shop --harness codex -o json',
  );
  find.addHelpText(
    'after',
    '\nEvery word must stand in the title, a recent prompt, the repository, the directory or the\n' +
      'branch. Where no session has them all, one typing error per word is forgiven.',
  );
  runs(find, host, () => import('../commands/catalog/find.ts'));
}

function addShow(sessions: Command, host: CommandHost): void {
  const show = withOutput(
    withSocketOption(
      sessions.command('show').argument('<id>', 'id, or four or more characters of its start'),
    ),
  )
    .description('one session: prompts, times, what it touched, how to resume it')
    .option('--no-evidence', 'do not read what the session touched');
  withExamples(show, 'omni-dev sessions show 0199', 'omni-dev sessions show codex:0199 -o json');
  runs(show, host, () => import('../commands/catalog/show.ts'));
}

function addResume(sessions: Command, host: CommandHost): void {
  const resume = withOutput(
    withSocketOption(
      sessions.command('resume').argument('<id>', 'id, or four or more characters of its start'),
    ),
  )
    .description('resume a session in its directory')
    .option('--force', 'also a session that is running')
    .option('--print', 'print the command instead of running it');
  withExamples(resume, 'omni-dev sessions resume 0199', 'omni-dev sessions resume claude:4f2a --print');
  runs(resume, host, () => import('../commands/catalog/resume.ts'));
}

function addPick(sessions: Command, host: CommandHost): void {
  const pick = withOutput(
    withFilters(sessions.command('pick').argument('[words...]', 'what to search for at first')),
  )
    .description('find a session by typing, and resume it')
    .option('--force', 'also resume a session that is running')
    .option('--print', 'print the command instead of running it');
  withExamples(pick, 'omni-dev sessions pick', 'omni-dev sessions pick --harness claude login');
  runs(pick, host, () => import('../commands/catalog/pick.ts'));
}

function withSocketOption(command: Command): Command {
  return command.option('--socket <path>', 'control socket of the daemon, which is optional here');
}

function withFilters(command: Command): Command {
  return withSocketOption(command)
    .option('--harness <name>', 'only claude-code (or claude), codex or pi')
    .option('--repo <text>', 'only sessions whose repository contains this')
    .option('--cwd <path>', 'only sessions started in this directory or below')
    .option('--since <when>', 'only sessions active since: 90m, 12h, 3d, 2w, 2026-11-30 or RFC 3339')
    .addOption(
      new Option('--state <state>', 'only sessions in this state').choices([
        'running',
        'resumable',
        'unknown',
      ]),
    )
    .option('--work <id>', 'only sessions that mention this work item');
}
