import * as vscode from 'vscode';
import type { WindowPayload } from '../../../contract/messages.ts';
import { countClaudeTabs, countClaudeTerminals } from '../cues/embedding.ts';

/**
 * What this window embeds right now. A terminal in the editor area is a terminal and a tab of another kind than a
 * webview, so it counts once; one whose process has exited counts no more.
 */
export function countEmbedding(): Omit<WindowPayload, 'key'> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const viewTypes = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputWebview ? [input.viewType] : [],
  );
  const names = vscode.window.terminals
    .filter(({ exitStatus }) => exitStatus === undefined)
    .map(({ name }) => name);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    folders: folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath),
    tabs: countClaudeTabs(viewTypes),
    terminals: countClaudeTerminals(names, process.env.CLAUDE_CODE_TERMINAL_TITLE),
  };
}

/** Calls back whenever {@link countEmbedding} may give something else. */
export function onEmbeddingChange(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs(changed),
    vscode.window.tabGroups.onDidChangeTabGroups(changed),
    vscode.window.onDidOpenTerminal(changed),
    vscode.window.onDidCloseTerminal(changed),
    // A terminal gets its final name, or loses its process, without an event of its own.
    vscode.window.onDidChangeTerminalState(changed),
    vscode.window.onDidChangeActiveTerminal(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
  );
}
