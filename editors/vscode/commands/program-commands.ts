import * as vscode from 'vscode';
import { sanitize } from '../../../contract/sanitize.ts';
import { findProgram, type ProgramRun, runProgram, settingsFile } from './omni-dev-program.ts';
import type { CommandContext } from './register.ts';

const NO_PROGRAM =
  'The omni-dev command was not found. Install it, or name it in the setting omniDevWorktrees.binaryPath.';

/** Runs the omni-dev command and writes what it said to the output channel; undefined when there is no such command. */
export async function runOmniDev(own: CommandContext, args: string[]): Promise<ProgramRun | undefined> {
  const { binary, paths } = own.settings();
  const program = await findProgram(binary, paths.commandShim, process.env.PATH);
  if (program === undefined) return undefined;
  const run = await runProgram(program, args);
  own.channel.info(`ran omni-dev ${args.slice(0, 2).join(' ')}: ${run.ok ? 'ok' : 'failed'}`);
  for (const line of run.output.split('\n')) own.channel.info(`  ${sanitize(line)}`);
  return run;
}

/** Runs a command that the user asked for, and says what became of it. */
async function runForUser(own: CommandContext, args: string[]): Promise<boolean> {
  const run = await runOmniDev(own, args);
  if (run?.ok) return true;
  const message = run === undefined ? NO_PROGRAM : `omni-dev ${args.slice(0, 2).join(' ')} failed.`;
  void vscode.window.showErrorMessage(message, 'Show Output').then((choice) => choice && own.channel.show());
  return false;
}

/** Puts the stream wrapper in front of Claude's VS Code extension, or takes it away again. */
export async function wrapperCommand(
  own: CommandContext,
  command: 'install-wrapper' | 'uninstall-wrapper',
): Promise<void> {
  const isRemoteDesktop = vscode.env.remoteName !== undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  const file = settingsFile(own.context.globalStorageUri.fsPath, isRemoteDesktop);
  if (!(await runForUser(own, ['sessions', command, '--settings', file]))) return;
  const message =
    command === 'install-wrapper'
      ? 'The wrapper is installed. Claude tabs that start from now on report their exact state; reload the window to cover the open ones.'
      : 'The wrapper is removed. Reload the window to start the open Claude tabs without it.';
  const choice = await vscode.window.showInformationMessage(message, 'Reload Window');
  if (choice !== undefined) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}

/** Starts the daemon and connects to it at once. */
export async function startDaemon(own: CommandContext): Promise<void> {
  const { socket, socketIsCustom } = own.settings();
  if (await runForUser(own, ['daemon', 'start', ...(socketIsCustom ? ['--socket', socket] : [])]))
    own.refresh();
}
