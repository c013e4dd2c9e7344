import * as vscode from 'vscode';
import { sendRequest } from '../../../contract/client.ts';
import { type SessionEntry, sessionsRequest } from '../../../contract/messages.ts';
import { runOmniDev } from './program-commands.ts';
import type { CommandContext } from './register.ts';
import { resumeCommand } from './resume-command.ts';
import { whyText } from './why-text.ts';

/**
 * Brings up the window a session shows in: VS Code focuses the window that has a folder open when it is asked to open
 * that folder. Of terminals only the command line knows where they are.
 */
export async function focusWindow(own: CommandContext, entry: SessionEntry, rowId: string): Promise<void> {
  const { source } = entry;
  if (source?.kind === 'vs_code') {
    if (source.window_key === own.key) {
      void vscode.window.showInformationMessage('This session shows in this window.');
      return;
    }
    const worktree = own.model()?.parents.get(rowId)?.slice('worktree:'.length);
    const folder = (await focusFolder(own, entry)) ?? worktree ?? entry.cwd;
    if (folder) {
      const uri = vscode.Uri.file(folder);
      await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
      return;
    }
  }
  if ((await runOmniDev(own, ['sessions', 'focus', entry.session_id]))?.ok) return;
  void vscode.window.showWarningMessage(
    'This session runs in a terminal that cannot be brought up from here.',
  );
}

/** The folder of the window a session is attributed to, where the daemon says it. */
async function focusFolder(own: CommandContext, entry: SessionEntry): Promise<string | undefined> {
  const request = sessionsRequest('focus-folder', { session_id: entry.session_id });
  try {
    const reply = await sendRequest(own.settings().socket, request);
    const payload = reply.ok ? reply.payload : undefined;
    if (typeof payload !== 'object' || payload === null || !('folder' in payload)) return undefined;
    return typeof payload.folder === 'string' ? payload.folder : undefined;
  } catch {
    return undefined;
  }
}

/** Puts the line that resumes the session on the clipboard. */
export async function copyResumeCommand(entry: SessionEntry): Promise<void> {
  const line = resumeCommand(entry);
  if (line === undefined) {
    void vscode.window.showErrorMessage(
      'The id or directory of this session is not safe to paste into a shell.',
    );
    return;
  }
  await vscode.env.clipboard.writeText(line);
  void vscode.window.showInformationMessage(
    'Resume command copied. The session is still running: end it before you resume it elsewhere.',
  );
}

const WHY_SCHEME = 'omni-dev-why';

/** Read-only pages that say which feed decides a session's state. */
export class WhyDocuments implements vscode.TextDocumentContentProvider {
  readonly #own: CommandContext;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(WHY_SCHEME, this);

  constructor(own: CommandContext) {
    this.#own = own;
  }

  /** Opens the page of a session, or brings an open one up to date. */
  async show(entry: SessionEntry): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: WHY_SCHEME,
      path: `/why ${entry.session_id}`,
      query: entry.session_id,
    });
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      const { socket } = this.#own.settings();
      const reply = await sendRequest(socket, sessionsRequest('why', { id: uri.query }));
      return reply.ok ? whyText(reply.payload) : `The daemon does not say why: ${reply.error}\n`;
    } catch (error) {
      return `The daemon does not answer: ${error instanceof Error ? error.message : String(error)}\n`;
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
