import * as vscode from 'vscode';
import type { CompanionView } from '../companion.ts';
import type { FeedStatus } from '../feed/session-feed.ts';
import type { RowChanges, RowModel } from '../rows/row.ts';
import type { StatusText } from '../status-text.ts';
import { CueDecorations } from './decorations.ts';
import { SessionTree } from './tree.ts';

export const VIEW_ID = 'omniDevSessions';

/** Tree, decorations, badge and status bar item of one window. */
export class EditorView implements CompanionView {
  readonly #tree = new SessionTree();
  readonly #treeView = vscode.window.createTreeView(VIEW_ID, {
    treeDataProvider: this.#tree,
    showCollapseAll: true,
  });
  readonly #item = vscode.window.createStatusBarItem('omniDevSessions', vscode.StatusBarAlignment.Left, 10);
  readonly #owned: vscode.Disposable;

  constructor() {
    this.#item.name = 'Agent Sessions';
    this.#tree.setVisible(this.#treeView.visible);
    this.#owned = vscode.Disposable.from(
      this.#treeView.onDidChangeVisibility(({ visible }) => this.#tree.setVisible(visible)),
      vscode.window.registerFileDecorationProvider(new CueDecorations()),
      this.#treeView,
      this.#tree,
      this.#item,
    );
  }

  rows(model: RowModel, changes: RowChanges): void {
    this.#tree.show(model, changes);
  }

  statusBar(status: StatusText | undefined): void {
    if (status === undefined) {
      this.#item.hide();
      return;
    }
    const { text, tooltip, attention, unreachable } = status;
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: tooltip };
    this.#item.command = unreachable ? 'omniDevSessions.startDaemon' : `${VIEW_ID}.focus`;
    this.#item.backgroundColor = attention
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.#item.show();
  }

  badge(waiting: number, tooltip: string): void {
    this.#treeView.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  }

  connection(status: FeedStatus): void {
    void vscode.commands.executeCommand('setContext', 'omniDevSessions.connection', status);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
