import { statSync } from 'node:fs';
import path from 'node:path';
import { OmniDevError } from '../../contract/errors.ts';
import { sessionsRequest } from '../../contract/messages.ts';
import { sanitize } from '../../contract/sanitize.ts';
import type { CliContext } from '../context.ts';
import { askDaemon, type DaemonAccess } from '../daemon-access.ts';
import { asWhy } from '../view/why-lines.ts';
import { toolOutput } from './run-tool.ts';
import { paneOf, parsePanes, parseProcesses } from './terminal-lines.ts';

/**
 * Brings a session to the front: its editor window, or its tmux pane. Resolves with what was done.
 *
 * @param id id of the session, or the beginning of it
 * @throws OmniDevError when no such session runs, or where it runs cannot be reached
 */
export async function focusSession(context: CliContext, access: DaemonAccess, id: string): Promise<string> {
  const why = asWhy(await askDaemon(context, access, sessionsRequest('why', { id })));
  if (why === undefined) throw new OmniDevError('DAEMON_BAD_REPLY', "the daemon's answer holds no layers");
  const folder = await folderOf(context, access, why.session_id);
  if (folder !== undefined) return openFolder(context, folder);
  const pane = why.pid === undefined ? undefined : await paneOfProcess(context, why.pid);
  if (pane !== undefined) return selectPane(context, pane);
  const shown = sanitize(why.session_id);
  throw new OmniDevError(
    'FOCUS_NOWHERE',
    `session ${shown} runs in no editor window and no tmux pane that is known here` +
      (why.pid === undefined ? '' : ` (its process is ${why.pid})`),
  );
}

async function folderOf(
  context: CliContext,
  access: DaemonAccess,
  session_id: string,
): Promise<string | undefined> {
  const payload = await askDaemon(context, access, sessionsRequest('focus-folder', { session_id }));
  const folder =
    typeof payload === 'object' && payload !== null && 'folder' in payload ? payload.folder : undefined;
  return typeof folder === 'string' && isFolder(folder) ? folder : undefined;
}

/** Only an absolute folder that is there: anything else would be an argument of the editor's. */
function isFolder(folder: string): boolean {
  return path.isAbsolute(folder) && (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/** An editor that has the folder open brings that window to the front. */
async function openFolder({ around }: CliContext, folder: string): Promise<string> {
  const { env, platform } = around;
  const named = env.OMNI_DEV_VSCODE_BIN;
  const editors =
    named !== undefined && named !== '' ? [named] : ['code', 'code-insiders', 'codium', 'cursor'];
  for (const editor of editors) {
    if ((await toolOutput(editor, [folder], env)) !== undefined) return `opened ${folder} with ${editor}`;
  }
  const opened =
    platform === 'darwin' && (await toolOutput('open', ['-a', 'Visual Studio Code', folder], env));
  if (typeof opened === 'string') return `opened ${folder} with Visual Studio Code`;
  throw new OmniDevError(
    'EDITOR_MISSING',
    `no editor command works (${editors.join(', ')}); set OMNI_DEV_VSCODE_BIN to yours`,
  );
}

async function paneOfProcess({ around }: CliContext, pid: number): Promise<string | undefined> {
  const panes = await toolOutput('tmux', ['list-panes', '-a', '-F', '#{pane_tty} #{pane_id}'], around.env);
  if (panes === undefined) return undefined;
  const processes = await toolOutput('ps', ['-axo', 'pid=,ppid=,tty='], around.env);
  return paneOf(pid, parseProcesses(processes ?? ''), parsePanes(panes))?.id;
}

async function selectPane({ around }: CliContext, pane: string): Promise<string> {
  const { env } = around;
  const steps = [
    ['select-window', '-t', pane],
    ['select-pane', '-t', pane],
    // From inside tmux our own client follows; from outside there is none to switch.
    ...(env.TMUX === undefined ? [] : [['switch-client', '-t', pane]]),
  ];
  for (const step of steps) {
    if ((await toolOutput('tmux', step, env)) === undefined) {
      throw new OmniDevError('FOCUS_NOWHERE', `tmux did not ${step[0]} ${pane}`);
    }
  }
  return `selected tmux pane ${pane}`;
}
