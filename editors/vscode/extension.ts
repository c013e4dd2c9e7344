import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { currentSurroundings } from '../../contract/surroundings.ts';
import { registerCommands } from './commands/register.ts';
import { Companion } from './companion.ts';
import { Diagnostics } from './diagnostics.ts';
import { readSettings, SECTION } from './settings.ts';
import { EditorView } from './view/companion-view.ts';
import { countEmbedding, onEmbeddingChange } from './view/embedding.ts';

let running: Companion | undefined;

/** Starts the companion in this window. Nothing here waits for the daemon. */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const channel = vscode.window.createOutputChannel('omni-dev', { log: true });
  const diagnostics = new Diagnostics(channel);
  const key = randomUUID();
  const view = new EditorView();

  // Read anew each time: a command that follows a change of the settings must not act on the old ones.
  const settings = () => {
    const configuration = vscode.workspace.getConfiguration(SECTION);
    return readSettings((name) => configuration.get(name), currentSurroundings());
  };
  const start = () => {
    running = new Companion({ settings: settings(), key, view, diagnostics, count: countEmbedding });
  };
  start();
  let restarting = Promise.resolve();
  const restart = () => {
    restarting = restarting.then(async () => {
      await running?.close();
      start();
    });
  };

  context.subscriptions.push(
    channel,
    view,
    onEmbeddingChange(() => running?.windowChanged()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) restart();
    }),
    ...registerCommands({
      context,
      channel,
      key,
      settings,
      model: () => running?.model,
      refresh: () => running?.refresh(),
    }),
  );
  diagnostics.note(
    `activated: window key=${key} socket=${settings().socket} took_ms=${(performance.now() - began).toFixed(1)}`,
  );
}

/** Takes this window's report back. VS Code waits for it; it is bounded. */
export async function deactivate(): Promise<void> {
  await running?.close();
  running = undefined;
}
