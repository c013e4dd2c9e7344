import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildExtension } from '../../editors/vscode/build.mjs';

interface Manifest {
  version: string;
  main: string;
  icon: string;
  dependencies?: object;
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command: string }[]>;
    views: Record<string, { id: string }[]>;
    viewsContainers: { activitybar: { id: string; icon: string }[] };
    viewsWelcome: { contents: string }[];
    configuration: { properties: Record<string, { scope?: string }> };
  };
}

let dir: string;
let file: string;
let files: Record<string, Uint8Array>;
let manifest: Manifest;

const text = (name: string) => strFromU8(files[name] ?? new Uint8Array());

beforeAll(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-vsix-'));
  file = await buildExtension(dir);
  files = unzipSync(readFileSync(file));
  manifest = JSON.parse(text('extension/package.json')) as Manifest;
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the .vsix', () => {
  it('is smaller than 200 KB', () => {
    expect(statSync(file).size).toBeLessThan(200 * 1024);
  });

  it('has no run-time dependency: it requires Node and VS Code, and nothing else', () => {
    const required = [...text('extension/extension.cjs').matchAll(/\brequire\("([^"]+)"\)/g)].map(
      ([, name]) => name,
    );
    const allowed = new Set(['vscode', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
    expect(required).toContain('vscode');
    expect(required.filter((name) => !allowed.has(name ?? ''))).toEqual([]);
    expect(manifest.dependencies).toBeUndefined();
  });

  it('carries every file it names, and the product’s version', () => {
    const named = [
      manifest.main,
      manifest.icon,
      ...manifest.contributes.viewsContainers.activitybar.map(({ icon }) => icon),
    ];
    for (const name of named) expect(Object.keys(files)).toContain(path.posix.join('extension', name));
    const product = JSON.parse(
      readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as Manifest;
    expect(manifest.version).toBe(product.version);
    expect(text('extension.vsixmanifest')).toContain(`Version="${product.version}"`);
  });

  it('is the same file when it is built again', async () => {
    const first = readFileSync(file);
    await buildExtension(dir);
    expect(readFileSync(file).equals(first)).toBe(true);
  });
});

describe('the manifest', () => {
  it('names only commands that it declares, and the code registers each of them', () => {
    const { commands, menus, viewsWelcome } = manifest.contributes;
    const declared = commands.map(({ command }) => command);
    const used = [
      ...Object.values(menus).flatMap((entries) => entries.map(({ command }) => command)),
      ...viewsWelcome.flatMap(({ contents }) =>
        [...contents.matchAll(/command:([\w.]+)/g)].map(([, name]) => name),
      ),
    ];
    expect(used.filter((name) => !declared.includes(name ?? ''))).toEqual([]);
    const source = readFileSync(
      path.join(import.meta.dirname, '../../editors/vscode/commands/register.ts'),
      'utf8',
    );
    for (const command of declared) expect(source).toMatch(new RegExp(`\\b${command.split('.')[1]}: `));
  });

  it('keeps the older companion’s setting names', () => {
    expect(Object.keys(manifest.contributes.configuration.properties)).toEqual(
      expect.arrayContaining([
        'omniDevWorktrees.socketPath',
        'omniDevWorktrees.heartbeatSeconds',
        'omniDevWorktrees.showClaudeSessions',
      ]),
    );
  });

  it('lets no workspace choose the program or the socket', () => {
    const { properties } = manifest.contributes.configuration;
    expect(properties['omniDevWorktrees.binaryPath']?.scope).toBe('machine');
    expect(properties['omniDevWorktrees.socketPath']?.scope).toBe('machine');
  });
});
