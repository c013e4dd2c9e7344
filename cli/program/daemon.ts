import type { Command } from 'commander';
import {
  type CommandHost,
  runs,
  wholeNumber,
  withExamples,
  withOutput,
  withSocketOnly,
} from './command-host.ts';

/** `omni-dev daemon …` */
export function addDaemonCommands(program: Command, host: CommandHost): void {
  const daemon = program.command('daemon').description('the background program that knows the sessions');
  addRun(daemon);
  addStart(daemon, host);
  addStop(daemon, host);
  addRestart(daemon, host);
  addStatus(daemon, host);
  addLogs(daemon, host);
  addInstall(daemon, host);
  addUninstall(daemon, host);
  addService(daemon, host);
}

/** For its help alone: the program choice runs the daemon's own bundle. */
function addRun(daemon: Command): void {
  const run = withServices(
    withSocketOnly(daemon.command('run').description('run in the foreground, logging to stderr')),
  );
  withExamples(run, 'omni-dev daemon run', 'OMNI_DEV_LOG=debug omni-dev daemon run');
}

function addStart(daemon: Command, host: CommandHost): void {
  const start = withServices(
    withSocketOnly(daemon.command('start').description('start in the background, if not running')),
  );
  withExamples(start, 'omni-dev daemon start');
  runs(start, host, () => import('../commands/daemon/start.ts'));
}

function addStop(daemon: Command, host: CommandHost): void {
  const stop = withSocketOnly(daemon.command('stop').description('stop the running daemon'));
  withExamples(stop, 'omni-dev daemon stop');
  runs(stop, host, () => import('../commands/daemon/stop.ts'));
}

function addRestart(daemon: Command, host: CommandHost): void {
  const restart = withServices(withSocketOnly(daemon.command('restart').description('stop and start again')));
  withExamples(restart, 'omni-dev daemon restart        # after an upgrade');
  runs(restart, host, () => import('../commands/daemon/restart.ts'));
}

function addStatus(daemon: Command, host: CommandHost): void {
  const status = withOutput(
    withSocketOnly(daemon.command('status').description('whether it runs, and how it is')),
  );
  withExamples(status, 'omni-dev daemon status', 'omni-dev daemon status -o json');
  runs(status, host, () => import('../commands/daemon/status.ts'));
}

function addLogs(daemon: Command, host: CommandHost): void {
  const logs = withSocketOnly(daemon.command('logs').description("the end of the background daemon's log"))
    .option('-n, --lines <n>', 'how many lines, 0 = all', wholeNumber, 200)
    .option('-f, --follow', 'go on with what is appended');
  withExamples(logs, 'omni-dev daemon logs -f');
  runs(logs, host, () => import('../commands/daemon/logs.ts'));
}

function addInstall(daemon: Command, host: CommandHost): void {
  const install = withDryRun(
    withOutput(
      withSocketOnly(
        daemon
          .command('install')
          .description('have the system keep it: systemd (user units) on Linux, launchd on macOS'),
      ),
    ),
  );
  withExamples(
    install,
    'omni-dev daemon install --dry-run     # what would be written, and where',
    'omni-dev daemon install',
  );
  runs(install, host, () => import('../commands/daemon/install.ts'));
}

function addUninstall(daemon: Command, host: CommandHost): void {
  const uninstall = withDryRun(
    withOutput(
      withSocketOnly(daemon.command('uninstall').description('take it out of systemd or launchd again')),
    ),
  );
  withExamples(uninstall, 'omni-dev daemon uninstall');
  runs(uninstall, host, () => import('../commands/daemon/uninstall.ts'));
}

function withDryRun(command: Command): Command {
  return command.option('--dry-run', 'only tell what would be done');
}

function addService(daemon: Command, host: CommandHost): void {
  const service = withSocketOnly(
    daemon
      .command('service')
      .description('send one operation to a service and print the payload of its reply'),
  )
    .argument('<service>', 'name of the service')
    .argument('<op>', 'name of the operation')
    .option('--payload <json>', 'payload of the operation');
  withExamples(service, 'omni-dev daemon service sessions list');
  runs(service, host, () => import('../commands/daemon/service.ts'));
}

function withServices(command: Command): Command {
  return command.option('--services <csv>', 'services to host (default: all)');
}
