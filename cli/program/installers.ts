import type { Command } from 'commander';
import { type CommandHost, runs, withExamples, withSocketOnly } from './command-host.ts';

/** `omni-dev sessions install-…` and `uninstall-…`: what is put into other programs, and taken out again. */
export function addInstallerCommands(sessions: Command, host: CommandHost): void {
  addWrapper(sessions, host);
  addHooks(sessions, host);
}

function addWrapper(sessions: Command, host: CommandHost): void {
  const install = withWrapperPaths(
    sessions.command('install-wrapper').description('have editors run Claude Code through claude-wrap'),
  );
  withExamples(
    install,
    'omni-dev sessions install-wrapper',
    'omni-dev sessions install-wrapper --settings .vscode-server/data/Machine/settings.json',
  );
  runs(install, host, () => import('../commands/sessions/install-wrapper.ts'));

  const uninstall = withWrapperPaths(
    sessions.command('uninstall-wrapper').description('take the wrapper out of the editors again'),
  );
  withExamples(uninstall, 'omni-dev sessions uninstall-wrapper');
  runs(uninstall, host, () => import('../commands/sessions/uninstall-wrapper.ts'));
}

function withWrapperPaths(command: Command): Command {
  return command
    .option('--settings <path>', "edit this settings file alone (default: every editor's that is here)")
    .option('--shim <path>', 'where the shim is (default: in the data directory)');
}

function addHooks(sessions: Command, host: CommandHost): void {
  const install = withHookPaths(
    sessions.command('install-hooks').description('have Claude, Codex and pi report their events'),
  );
  withExamples(install, 'omni-dev sessions install-hooks');
  runs(install, host, () => import('../commands/sessions/install-hooks.ts'));

  const uninstall = withHookPaths(
    sessions.command('uninstall-hooks').description('take the hooks out of the agents again'),
  );
  withExamples(uninstall, 'omni-dev sessions uninstall-hooks');
  runs(uninstall, host, () => import('../commands/sessions/uninstall-hooks.ts'));
}

function withHookPaths(command: Command): Command {
  return withSocketOnly(command)
    .option('--settings <path>', "Claude's settings file (default: that of CLAUDE_CONFIG_DIR or ~/.claude)")
    .option('--codex-home <path>', 'this Codex home, even where Codex is not found')
    .option('--pi-agent-dir <path>', "pi's agent directory, even where pi is not found");
}
