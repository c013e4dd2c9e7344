import * as vscode from 'vscode';
import { CUE_SCHEME } from '../cues/cue-uri.ts';
import { EMPTY_MODEL, type Row, type RowChanges, type RowModel } from '../rows/row.ts';

/**
 * The *Agent Sessions* tree. Its elements are row ids, so that VS Code recognises a row whatever changed on it, and
 * only rows that changed are announced.
 */
export class SessionTree implements vscode.TreeDataProvider<string> {
  readonly #changed = new vscode.EventEmitter<string[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #model: RowModel = EMPTY_MODEL;
  #visible = true;
  #missed = false;

  show(model: RowModel, changes: RowChanges): void {
    this.#model = model;
    if (this.#visible) this.#changed.fire(changes === 'all' ? undefined : [...changes]);
    else this.#missed = true;
  }

  /** A hidden tree is not drawn; it catches up when it is shown. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    if (!visible || !this.#missed) return;
    this.#missed = false;
    this.#changed.fire(undefined);
  }

  getChildren(id?: string): string[] {
    return [...(id === undefined ? this.#model.roots : (this.#model.children.get(id) ?? []))];
  }

  getParent(id: string): string | undefined {
    return this.#model.parents.get(id);
  }

  getTreeItem(id: string): vscode.TreeItem {
    const row = this.#model.rows.get(id);
    // VS Code may ask for a row that a newer snapshot has already taken away; its parent is announced as well.
    return row === undefined ? new vscode.TreeItem('') : treeItem(row);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function treeItem(row: Row): vscode.TreeItem {
  const { None, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(row.label, row.kind === 'session' ? None : Expanded);
  item.id = row.id;
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.contextValue = row.kind;
  item.iconPath = icon(row);
  if (row.cues !== undefined) item.resourceUri = cueUri(row, row.cues);
  return item;
}

function icon({ icon: name, iconColor }: Row): vscode.ThemeIcon {
  return iconColor === undefined
    ? new vscode.ThemeIcon(name)
    : new vscode.ThemeIcon(name, new vscode.ThemeColor(iconColor));
}

/** The authority lets the path begin with anything: VS Code refuses a path with two slashes without one. */
function cueUri(row: Row, query: string): vscode.Uri {
  return vscode.Uri.from({ scheme: CUE_SCHEME, authority: row.kind, path: `/${row.id}`, query });
}
