import * as vscode from 'vscode';
import { sendRequest } from '../../../contract/client.ts';
import { type SessionEntry, sessionsRequest } from '../../../contract/messages.ts';
import { runOmniDev } from './program-commands.ts';
import type { CommandContext } from './register.ts';
import { resumeCommand } from './resume-command.ts';
import { whyText } from './why-text.ts';

/**
 * Brings up the window a session shows in. The command line knows every window and terminal; without it VS Code is
 * asked to open the worktree, which focuses the window that has it open already.
 */
export async function focusWindow(own: CommandContext, entry: SessionEntry, rowId: string): Promise<void> {
  const { source } = entry;
  if (source?.kind === 'vs_code' && source.window_key === own.key) {
    void vscode.window.showInformationMessage('This session shows in this window.');
    return;
  }
  const run = await runOmniDev(own, ['sessions', 'focus', entry.session_id]);
  if (run?.ok) return;
  const folder =
    own
      .model()
      ?.parents.get(rowId)
      ?.replace(/^worktree:/, '') || entry.cwd;
  if (source?.kind !== 'vs_code' || folder === undefined) {
    void vscode.window.showWarningMessage(
      'This session runs in a terminal that cannot be brought up from here.',
    );
    return;
  }
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), {
    forceNewWindow: true,
  });
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
      const reply = await sendRequest(socket, sessionsRequest('why', { session_id: uri.query }));
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
