import * as vscode from 'vscode';
import type { SessionEntry } from '../../../contract/messages.ts';
import type { RowModel } from '../rows/row.ts';
import type { Settings } from '../settings.ts';
import { startDaemon, wrapperCommand } from './program-commands.ts';
import { copyResumeCommand, focusWindow, WhyDocuments } from './session-commands.ts';

/** What the commands act on. */
export interface CommandContext {
  context: vscode.ExtensionContext;
  channel: vscode.LogOutputChannel;
  /** This window's key. */
  key: string;
  settings(): Settings;
  model(): RowModel | undefined;
  refresh(): void;
}

/** Registers every command of the manifest. A session command without a row asks for one. */
export function registerCommands(own: CommandContext): vscode.Disposable[] {
  const onSession = (run: (entry: SessionEntry, rowId: string) => unknown) => async (row?: unknown) => {
    const rowId = typeof row === 'string' ? row : await pickSession(own.model());
    const entry = rowId === undefined ? undefined : own.model()?.sessions.get(rowId);
    if (entry !== undefined && rowId !== undefined) await run(entry, rowId);
  };
  const why = new WhyDocuments(own);
  const commands: Record<string, (row?: unknown) => unknown> = {
    refresh: () => own.refresh(),
    showOutput: () => own.channel.show(),
    focusWindow: onSession((entry, rowId) => focusWindow(own, entry, rowId)),
    copyResumeCommand: onSession(copyResumeCommand),
    showWhy: onSession((entry) => why.show(entry)),
    installWrapper: () => wrapperCommand(own, 'install-wrapper'),
    uninstallWrapper: () => wrapperCommand(own, 'uninstall-wrapper'),
    startDaemon: () => startDaemon(own),
  };
  return [
    why,
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`omniDevSessions.${name}`, run),
    ),
  ];
}

/** Lets the user choose a session; the row's id, or undefined. */
async function pickSession(model: RowModel | undefined): Promise<string | undefined> {
  if (model === undefined || model.sessions.size === 0) {
    void vscode.window.showInformationMessage('No active agent sessions.');
    return undefined;
  }
  const items = [...model.sessions].map(([rowId, entry]) => {
    const row = model.rows.get(rowId);
    return {
      rowId,
      label: row?.label ?? rowId,
      description: row?.description ?? '',
      detail: entry.cwd ?? '',
    };
  });
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: 'Agent session',
    matchOnDetail: true,
  });
  return picked?.rowId;
}
