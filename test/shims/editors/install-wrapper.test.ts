import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installWrapper, uninstallWrapper } from '../../../shims/editors/install-wrapper.ts';
import { fakeBuild } from '../support/fake-build.ts';
import { type ThrowAwayHome, throwAwayHome } from '../support/home.ts';

const KEY = 'claudeCode.claudeProcessWrapper';

function machine(name?: string) {
  const at = throwAwayHome(name);
  const builtIn = fakeBuild().folder;
  const options = { around: at.around, paths: at.paths };
  return {
    ...at,
    code: path.join(at.home, '.config/Code/User/settings.json'),
    install: (more = {}) => installWrapper({ ...options, builtIn, ...more }),
    uninstall: (more = {}) => uninstallWrapper({ ...options, ...more }),
  };
}

function settings(at: ThrowAwayHome, file: string, text: string): string {
  const full = path.join(at.home, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const read = (file: string) => readFileSync(file, 'utf8');

describe('install-wrapper', () => {
  it('sets VS Code to the shim and says what to do next', async () => {
    const at = machine();
    const result = await at.install();
    expect(JSON.parse(read(at.code))).toEqual({ [KEY]: at.paths.wrapperShim });
    expect(result.messages).toEqual([
      `wrapper shim: ${at.paths.wrapperShim}`,
      `set ${KEY} in ${at.code}`,
      'Reload VS Code: only Claude sessions started afterwards are wrapped.',
    ]);
  });

  it('says so when there is nothing to change', async () => {
    const at = machine();
    await at.install();
    const again = await at.install();
    expect(again.changed).toBe(false);
    expect(again.messages[1]).toBe(`${KEY} already points there in ${at.code} (no change)`);
  });

  it('sets every editor that is here', async () => {
    const at = machine();
    const cursor = settings(at, '.config/Cursor/User/settings.json', '{\n  // mine\n  "a": 1,\n}\n');
    const server = settings(at, '.vscode-server/data/Machine/settings.json', '{}\n');
    await at.install();
    expect(read(cursor)).toBe(`{\n  // mine\n  "a": 1,\n  "${KEY}": "${at.paths.wrapperShim}",\n}\n`);
    expect(JSON.parse(read(server))).toEqual({ [KEY]: at.paths.wrapperShim });
  });

  it('edits the named file alone', async () => {
    const at = machine();
    const cursor = settings(at, '.config/Cursor/User/settings.json', '{}');
    const named = path.join(at.home, 'named.json');
    await at.install({ settings: named });
    expect(existsSync(at.code)).toBe(false);
    expect(read(cursor)).toBe('{}');
    expect(JSON.parse(read(named))).toEqual({ [KEY]: at.paths.wrapperShim });
  });

  it('C1: refuses broken settings, prints the line to add, and has the shim ready for it', async () => {
    const at = machine();
    settings(at, '.config/Code/User/settings.json', '{ "a": ');
    const line = `"${KEY}": "${at.paths.wrapperShim}"`;
    const [refused] = (await at.install()).refused;
    expect(refused?.message).toContain(line);
    expect(read(at.code)).toBe('{ "a": ');
    expect(existsSync(at.paths.wrapperShim)).toBe(true);
  });

  it("goes on with the others when one editor's settings are broken", async () => {
    const at = machine();
    const cursor = settings(at, '.config/Cursor/User/settings.json', '{,}');
    const result = await at.install();
    expect(result.refused.map((error) => error.file)).toEqual([cursor]);
    expect(result.refused[0]?.message).toContain(`${cursor} is not valid JSON`);
    expect(read(at.code)).toContain(KEY);
  });

  it('touches no settings when the shim cannot be written', async () => {
    const at = machine();
    settings(at, 'blocker', '');
    await expect(at.install({ shim: path.join(at.home, 'blocker', 'claude-wrap') })).rejects.toThrow(
      'blocker',
    );
    expect(existsSync(at.code)).toBe(false);
  });

  it('names the settings of profiles, which VS Code reads in place of these', async () => {
    const at = machine();
    const profile = settings(at, '.config/Code/User/profiles/p1/settings.json', '{}');
    expect((await at.install()).messages.join('\n')).toContain(`--settings ${profile}`);
  });
});

describe('uninstall-wrapper', () => {
  it('leaves settings byte for byte as they were', async () => {
    const at = machine("o'hara's home");
    const before = '{\r\n\t// mine\r\n\t"a": 1, /* one */\r\n}';
    settings(at, '.config/Code/User/settings.json', before);
    await at.install();
    const result = await at.uninstall();
    expect(read(at.code)).toBe(before);
    expect(existsSync(at.paths.wrapperShim)).toBe(false);
    expect(result.messages[0]).toBe(`cleared ${KEY} in ${at.code}`);
  });

  it('leaves a foreign wrapper alone and removes the shim', async () => {
    const at = machine();
    await at.install();
    writeFileSync(at.code, JSON.stringify({ [KEY]: '/opt/other' }));
    const result = await at.uninstall();
    expect(result.messages[0]).toBe(`${KEY} in ${at.code} does not point at our shim; left alone`);
    expect(existsSync(at.paths.wrapperShim)).toBe(false);
  });

  it('gives an earlier value back when it is known', async () => {
    const at = machine();
    await at.install();
    await at.uninstall({ earlier: new Map([[at.code, '/opt/other']]) });
    expect(JSON.parse(read(at.code))).toEqual({ [KEY]: '/opt/other' });
  });

  it('keeps the shim while settings that cannot be read may point at it', async () => {
    const at = machine();
    const cursor = settings(at, '.config/Cursor/User/settings.json', '{}');
    await at.install();
    writeFileSync(cursor, `${read(cursor)} broken`);
    const result = await at.uninstall();
    expect(existsSync(at.paths.wrapperShim)).toBe(true);
    expect(result.messages).toContain(`kept ${at.paths.wrapperShim}, because settings may still point at it`);
  });

  it('is content with nothing there', async () => {
    const at = machine();
    expect(await at.uninstall()).toMatchObject({
      changed: false,
      messages: [`no settings file at ${at.code} (nothing to remove)`],
    });
    settings(at, '.config/Cursor/User/x', '');
    symlinkSync('nowhere', path.join(at.home, '.config/Cursor/User/settings.json'));
    expect((await at.uninstall()).refused).toEqual([]);
  });
});
