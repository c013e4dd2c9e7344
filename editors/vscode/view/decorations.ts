import * as vscode from 'vscode';
import { CUE_SCHEME, decorationOfQuery } from '../cues/cue-uri.ts';

/** Badge and colour of a row, read from its URI. A row whose counts change has another URI, so nothing is announced. */
export class CueDecorations implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== CUE_SCHEME) return undefined;
    const drawn = decorationOfQuery(uri.query);
    return (
      drawn && new vscode.FileDecoration(drawn.badge, drawn.tooltip, new vscode.ThemeColor(drawn.colorId))
    );
  }
}
