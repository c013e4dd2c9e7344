import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseNode } from '../../../shims/install/choose-node.ts';
import { type InstallProgramsOptions, installPrograms } from '../../../shims/install/install-programs.ts';
import { readInstalledRecord } from '../../../shims/install/installed-record.ts';
import { quoteWhereNeeded } from '../../../shims/install/shell-quote.ts';
import { removableVersions } from '../../../shims/install/version-folders.ts';
import { run } from '../support/bundled.ts';
import { fakeBuild } from '../support/fake-build.ts';
import { throwAwayHome } from '../support/home.ts';
import { scratchFolder } from '../support/scratch.ts';

const user = () => throwAwayHome();
const mode = (file: string) => statSync(file).mode & 0o777;

function install(at: ReturnType<typeof user>, builtIn: string, more: Partial<InstallProgramsOptions> = {}) {
  return installPrograms({ paths: at.paths, builtIn, wrapperShim: at.paths.wrapperShim, ...more });
}

function versions(at: ReturnType<typeof user>): string[] {
  return readdirSync(at.paths.bundlesDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

describe('installing the programs', { timeout: 120_000 }, () => {
  it('makes everything private to its owner', () => {
    const at = user();
    const { folder } = install(at, fakeBuild().folder);
    for (const private7 of [at.paths.runtimeDir, at.paths.bundlesDir, folder])
      expect(mode(private7)).toBe(0o700);
    for (const shim of [at.paths.wrapperShim, at.paths.commandShim]) expect(mode(shim)).toBe(0o700);
    expect(mode(path.join(folder, 'hook.cjs'))).toBe(0o600);
  });

  it('changes nothing the second time', () => {
    const at = user();
    const { folder: builtIn } = fakeBuild();
    expect(install(at, builtIn).changed).toBe(true);
    const inode = statSync(at.paths.commandShim).ino;
    expect(install(at, builtIn).changed).toBe(false);
    expect(statSync(at.paths.commandShim).ino).toBe(inode);
  });

  it('an upgrade keeps the paths of the shims and the version before', () => {
    const at = user();
    for (const build of ['one', 'two', 'three']) install(at, fakeBuild(build).folder, { version: build });
    const record = readInstalledRecord(at.paths.bundlesDir);
    expect(record?.version).toBe('three');
    expect(record?.previous).toMatch(/^two-/);
    expect(versions(at).sort()).toEqual([record?.current, record?.previous].sort());
    expect(readFileSync(at.paths.commandShim, 'utf8')).toContain(record?.current);
  });

  it('keeps an old version that a program still runs from', async () => {
    const at = user();
    const slow = fakeBuild('slow');
    slow.write(
      'hook.cjs',
      "exports.run = () => { process.stdout.write('up'); setTimeout(() => {}, 60_000); };",
    );
    const { folder } = install(at, slow.folder, { version: 'slow' });
    const { spawn } = await import('node:child_process');
    const running = spawn(at.paths.commandShim, ['sessions', 'hook']);
    await new Promise((up) => running.stdout.once('data', up));
    try {
      for (const build of ['two', 'three']) install(at, fakeBuild(build).folder, { version: build });
      expect(existsSync(folder)).toBe(true);
    } finally {
      const ended = new Promise((done) => running.once('exit', done));
      running.kill('SIGKILL');
      await ended;
    }
    install(at, fakeBuild('four').folder, { version: 'four' });
    expect(existsSync(folder)).toBe(false);
  });

  it('repairs a copy that was damaged', () => {
    const at = user();
    const { folder: builtIn } = fakeBuild();
    const { folder } = install(at, builtIn);
    writeFileSync(path.join(folder, 'hook.cjs'), 'cut short');
    rmSync(path.join(folder, 'daemon.cjs'));
    expect(install(at, builtIn)).toMatchObject({ folder, changed: true });
    expect(readFileSync(path.join(folder, 'hook.cjs'), 'utf8')).toContain('exports.run');
    expect(existsSync(path.join(folder, 'daemon.cjs'))).toBe(true);
    expect(versions(at)).toEqual([path.basename(folder)]);
  });

  it('an upgrade rewrites a wrapper shim that is there and makes none that is not', () => {
    const at = user();
    const { wrapperShim } = at.paths;
    installPrograms({ paths: at.paths, builtIn: fakeBuild('one').folder });
    expect(existsSync(wrapperShim)).toBe(false);
    install(at, fakeBuild('two').folder);
    installPrograms({ paths: at.paths, builtIn: fakeBuild('three').folder });
    expect(readFileSync(wrapperShim, 'utf8')).toContain(readInstalledRecord(at.paths.bundlesDir)?.current);
  });

  it('can run from its own copy, and stays as it is then', () => {
    const at = user();
    const { folder } = install(at, fakeBuild().folder);
    expect(install(at, folder).folder).toBe(folder);
  });

  it('says what is missing when there is nothing to install', () => {
    const empty = scratchFolder();
    expect(() => install(user(), empty)).toThrow(empty);
  });

  it('names the path when a shim cannot be written', () => {
    const at = user();
    writeFileSync(path.join(at.home, 'a-file'), '');
    const wrapperShim = path.join(at.home, 'a-file', 'claude-wrap');
    const attempt = () => installPrograms({ paths: at.paths, builtIn: fakeBuild().folder, wrapperShim });
    expect(attempt).toThrow(wrapperShim);
    expect(attempt).toThrow('writable');
  });
});

describe('the versions that may go', () => {
  it('are those that are neither kept nor run', () => {
    const lines = ['/usr/bin/node /d/bundles/c/claude-wrap.cjs -- claude', 'vim bundles/b'];
    expect(removableVersions(['a', 'b', 'c', 'd'], ['d', 'a', undefined], lines)).toEqual(['b']);
  });
});

describe('the Node of the shims', () => {
  const own = { path: process.execPath, version: process.versions.node, isElectron: false };

  it('is our own one', async () => {
    const chosen = chooseNode(own, '');
    expect(chosen.version).toBe(process.versions.node);
    expect((await run(chosen.path, ['--version'])).stdout.trim()).toBe(process.version);
  });

  it.each([
    ['our own is an editor', { ...own, isElectron: true }],
    ['our own is too old', { ...own, version: '18.20.4' }],
  ])('is the first one on PATH that is new enough when %s', (_, mine) => {
    const [old, good] = [scratchFolder(), scratchFolder()];
    writeFileSync(path.join(old, 'node'), '#!/bin/sh\necho v18.0.0\n', { mode: 0o755 });
    symlinkSync(process.execPath, path.join(good, 'node'));
    const chosen = chooseNode(mine, ['relative', old, good].join(':'));
    expect(chosen.path).toBe(path.join(good, 'node'));
    expect(() => chooseNode(mine, old)).toThrow('20 or newer');
  });
});

describe('a word of a shell command', () => {
  it('is quoted only where that is needed', () => {
    expect(quoteWhereNeeded('/home/u/.local/share/omni-dev/bin/omni-dev')).toBe(
      '/home/u/.local/share/omni-dev/bin/omni-dev',
    );
    expect(quoteWhereNeeded('/Users/u/Library/Application Support/x')).toBe(
      "'/Users/u/Library/Application Support/x'",
    );
  });

  it.each(["it's", '', '~', '$HOME', 'a;b', 'ü', '*', '"', 'a\nb'])(
    'means itself to a shell: %j',
    async (word) => {
      const ran = await run('/bin/sh', ['-c', `printf '%s' ${quoteWhereNeeded(word)}`]);
      expect(ran.stdout).toBe(word);
    },
  );
});
