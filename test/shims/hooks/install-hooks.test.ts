import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installHooks, uninstallHooks } from '../../../shims/hooks/install-hooks.ts';
import { shellPieces } from '../../../shims/hooks/shell-words.ts';
import { run } from '../support/bundled.ts';
import { fakeBuild } from '../support/fake-build.ts';
import { throwAwayHome } from '../support/home.ts';

function machine(name?: string) {
  const at = throwAwayHome(name);
  const builtIn = fakeBuild().folder;
  const options = { around: at.around, paths: at.paths };
  return {
    ...at,
    claude: path.join(at.home, '.claude/settings.json'),
    codex: path.join(at.home, '.codex/hooks.json'),
    install: (more = {}) => installHooks({ ...options, builtIn, ...more }),
    uninstall: (more = {}) => uninstallHooks({ ...options, ...more }),
  };
}

function commandIn(file: string, event: string): string {
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  return hooks[event]?.[0]?.hooks[0]?.command ?? '';
}

describe('install-hooks', () => {
  it("installs Claude's, and says what was not found", async () => {
    const at = machine();
    const { messages, refused } = await at.install();
    expect(refused).toEqual([]);
    expect(messages[0]).toBe(`installed 17 sessions hook event(s) into ${at.claude}`);
    expect(messages.join('\n')).toMatch(/Codex not detected.*pi not detected/s);
    expect(readdirSync(at.home).sort()).toEqual(['.claude', '.local']);
  });

  it("installs Codex's when its home is here, when it is on PATH, or when it is named", async () => {
    const withHome = machine();
    mkdirSync(path.dirname(withHome.codex));
    await withHome.install();
    expect(existsSync(withHome.codex)).toBe(true);

    const onPath = machine();
    const bin = path.join(onPath.home, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'codex'), '#!/bin/sh\necho codex-cli 0.171.0\n');
    const around = { ...onPath.around, env: { PATH: `relative:${bin}` } };
    await onPath.install({ around });
    expect(existsSync(onPath.codex)).toBe(false);
    chmodSync(path.join(bin, 'codex'), 0o755);
    await onPath.install({ around });
    expect(readFileSync(onPath.codex, 'utf8')).toContain('"async": true');

    const named = machine();
    await named.install({ codexHome: path.join(named.home, 'other') });
    expect(existsSync(path.join(named.home, 'other', 'hooks.json'))).toBe(true);
  });

  it.each(['home', "o'hara's home ü"])('installs a command that the agents can run: in %s', async (name) => {
    const at = machine(name);
    mkdirSync(path.dirname(at.codex));
    await at.install();
    for (const [file, argv] of [
      [at.claude, []],
      [at.codex, ['--agent', 'codex']],
    ] as const) {
      const command = commandIn(file, 'Stop');
      expect(shellPieces(command)[0]?.text).toBe(at.paths.commandShim);
      const ran = await run('/bin/sh', ['-c', command], { input: '{}' });
      expect(JSON.parse(ran.stdout)).toMatchObject({ program: 'hook', argv, text: '{}' });
    }
  });

  it('goes on with the others when one refuses', async () => {
    const at = machine();
    mkdirSync(path.dirname(at.codex));
    mkdirSync(path.dirname(at.claude));
    writeFileSync(at.claude, '{,}');
    const { refused, changed } = await at.install();
    expect(refused.map((error) => error.code)).toEqual(['CONFIG_NOT_JSON']);
    expect(refused[0]?.message).toContain(at.claude);
    expect(changed).toBe(true);
    expect(existsSync(at.codex)).toBe(true);
  });

  it('touches no settings when the programs cannot be written', async () => {
    const at = machine();
    mkdirSync(path.dirname(path.dirname(at.paths.runtimeDir)));
    writeFileSync(path.dirname(at.paths.runtimeDir), '');
    await expect(at.install()).rejects.toThrow(at.paths.runtimeDir);
    expect(existsSync(at.claude)).toBe(false);
  });

  it('changes nothing the second time', async () => {
    const at = machine();
    mkdirSync(path.dirname(at.codex));
    await at.install();
    expect((await at.install()).changed).toBe(false);
  });
});

describe('uninstall-hooks', () => {
  it('takes the sink out of every agent, and keeps the programs that running agents call', async () => {
    const at = machine();
    mkdirSync(path.dirname(at.codex));
    await at.install();
    await at.uninstall();
    for (const file of [at.claude, at.codex]) expect(readFileSync(file, 'utf8')).not.toContain('omni-dev');
    expect(existsSync(at.paths.commandShim)).toBe(true);
  });

  it('is content with nothing there', async () => {
    const at = machine();
    const { changed, refused } = await at.uninstall();
    expect({ changed, refused }).toEqual({ changed: false, refused: [] });
    expect(readdirSync(at.home)).toEqual([]);
  });
});
