import path from 'node:path';
import type { Surroundings } from '../../contract/paths.ts';

/** A program whose Claude extension reads a settings file. */
export interface EditorPlace {
  /** As its users call it. */
  name: string;
  /** The settings file that holds the wrapper setting. */
  settings: string;
  /** The folder whose existence says that the editor is used here. */
  sign: string;
  /** Folder of its profiles, each of which may have settings of its own. */
  profiles?: string;
}

/** Desktop editors and the name of their settings folder, the default one first. */
const DESKTOP_EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor'];

/** Servers of remote editors (SSH, WSL, dev containers) and their folder under the home. */
const SERVERS: readonly [name: string, folder: string][] = [
  ['VS Code Server', '.vscode-server'],
  ['VS Code Server - Insiders', '.vscode-server-insiders'],
  ['VS Code Remote', '.vscode-remote'],
  ['VSCodium Server', '.vscodium-server'],
  ['Cursor Server', '.cursor-server'],
];

/** Folder of the desktop editors' settings: macOS ignores XDG, Linux takes XDG_CONFIG_HOME when it is absolute. */
export function configDir({ env, home, platform }: Surroundings): string {
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support');
  const xdg = env.XDG_CONFIG_HOME;
  return xdg !== undefined && path.posix.isAbsolute(xdg) ? xdg : path.posix.join(home, '.config');
}

/** The user settings of VS Code itself: what `install-wrapper` edits wherever it runs. */
export function defaultEditor(around: Surroundings): EditorPlace {
  return desktopEditor(around, 'Code');
}

/** Every editor we know of, the default one first, whether it is here or not. */
export function knownEditors(around: Surroundings): EditorPlace[] {
  return [
    ...DESKTOP_EDITORS.map((name) => desktopEditor(around, name)),
    ...portableEditors(around),
    ...SERVERS.map(([name, folder]) => server(name, path.posix.join(around.home, folder))),
    ...relocatedServers(around),
    codeServer(around),
  ];
}

function desktopEditor(around: Surroundings, name: string): EditorPlace {
  const sign = path.posix.join(configDir(around), name);
  return withUserFolder(name, sign, path.posix.join(sign, 'User'));
}

/** VS Code run from a folder of its own carries its settings with it, and says where. */
function portableEditors({ env }: Surroundings): EditorPlace[] {
  const portable = env.VSCODE_PORTABLE;
  if (portable === undefined || !path.posix.isAbsolute(portable)) return [];
  return [withUserFolder('Code (portable)', portable, path.posix.join(portable, 'user-data', 'User'))];
}

function relocatedServers({ env }: Surroundings): EditorPlace[] {
  const folder = env.VSCODE_AGENT_FOLDER;
  return folder !== undefined && path.posix.isAbsolute(folder)
    ? [server('VS Code Server (moved)', folder)]
    : [];
}

function server(name: string, sign: string): EditorPlace {
  return { name, sign, settings: path.posix.join(sign, 'data', 'Machine', 'settings.json') };
}

/** code-server keeps its user settings where others keep data, on every platform. */
function codeServer({ env, home }: Surroundings): EditorPlace {
  const xdg = env.XDG_DATA_HOME;
  const data =
    xdg !== undefined && path.posix.isAbsolute(xdg) ? xdg : path.posix.join(home, '.local', 'share');
  const sign = path.posix.join(data, 'code-server');
  return withUserFolder('code-server', sign, path.posix.join(sign, 'User'));
}

function withUserFolder(name: string, sign: string, user: string): EditorPlace {
  return {
    name,
    sign,
    settings: path.posix.join(user, 'settings.json'),
    profiles: path.posix.join(user, 'profiles'),
  };
}
