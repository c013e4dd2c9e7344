import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Surroundings } from '../../../contract/paths.ts';
import { defaultEditor, knownEditors } from '../../../shims/editors/editor-places.ts';
import { findEditors, profileSettings } from '../../../shims/editors/find-editors.ts';
import { throwAwayHome } from '../support/home.ts';

const on = (platform: NodeJS.Platform, env: Record<string, string> = {}): Surroundings => ({
  env,
  platform,
  home: '/h',
  uid: 1,
});
const settingsOf = (around: Surroundings, name: string) =>
  knownEditors(around).find((editor) => editor.name === name)?.settings;

describe('where editors keep the setting', () => {
  it.each([
    ['linux', {}, 'Code', '/h/.config/Code/User/settings.json'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, 'Cursor', '/x/Cursor/User/settings.json'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, 'VSCodium', '/h/.config/VSCodium/User/settings.json'],
    ['darwin', { XDG_CONFIG_HOME: '/x' }, 'Code', '/h/Library/Application Support/Code/User/settings.json'],
    ['darwin', {}, 'Code - Insiders', '/h/Library/Application Support/Code - Insiders/User/settings.json'],
    ['linux', {}, 'VS Code Server', '/h/.vscode-server/data/Machine/settings.json'],
    ['linux', {}, 'VS Code Server - Insiders', '/h/.vscode-server-insiders/data/Machine/settings.json'],
    ['linux', {}, 'VS Code Remote', '/h/.vscode-remote/data/Machine/settings.json'],
    ['linux', {}, 'Cursor Server', '/h/.cursor-server/data/Machine/settings.json'],
    ['linux', {}, 'code-server', '/h/.local/share/code-server/User/settings.json'],
    ['linux', { XDG_DATA_HOME: '/d' }, 'code-server', '/d/code-server/User/settings.json'],
    ['linux', { VSCODE_AGENT_FOLDER: '/a' }, 'VS Code Server (moved)', '/a/data/Machine/settings.json'],
    ['linux', { VSCODE_PORTABLE: '/p' }, 'Code (portable)', '/p/user-data/User/settings.json'],
  ] as const)('%s %j: %s', (platform, env, name, file) => {
    expect(settingsOf(on(platform, env), name)).toBe(file);
  });

  it('VS Code comes first', () => expect(knownEditors(on('linux'))[0]).toEqual(defaultEditor(on('linux'))));
});

describe('the editors that are here', () => {
  it('are those whose folder exists, each once', () => {
    const at = throwAwayHome();
    for (const folder of ['.config/Cursor', '.vscode-server'])
      mkdirSync(path.join(at.home, folder), { recursive: true });
    const twice = { ...at.around, env: { VSCODE_AGENT_FOLDER: path.join(at.home, '.vscode-server') } };
    expect(findEditors(twice).map((editor) => editor.name)).toEqual(['Cursor', 'VS Code Server']);
  });

  it('may have profiles with settings of their own', () => {
    const at = throwAwayHome();
    const editor = defaultEditor(at.around);
    expect(profileSettings(editor)).toEqual([]);
    const profile = path.join(editor.profiles ?? '', '-5f3a');
    mkdirSync(profile, { recursive: true });
    writeFileSync(path.join(profile, 'settings.json'), '{}');
    expect(profileSettings(editor)).toEqual([path.join(profile, 'settings.json')]);
  });
});
