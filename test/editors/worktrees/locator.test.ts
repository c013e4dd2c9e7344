import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locate, WorktreeLocator } from '../../../editors/vscode/worktrees/locator.ts';
import { gitDirOfFile, repositoryName } from '../../../editors/vscode/worktrees/worktree.ts';
import { until } from '../../support/until.ts';

let dir: string;

function git(cwd: string, ...args: string[]): void {
  const env = { ...process.env, HOME: dir, GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...who, ...args], { cwd, env, stdio: 'pipe' });
}

beforeAll(() => {
  dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'omni-dev-worktrees-')));
  for (const name of ['main', 'library']) {
    mkdirSync(path.join(dir, name, 'src/deep'), { recursive: true });
    git(path.join(dir, name), 'init', '-q');
    git(path.join(dir, name), 'commit', '-q', '--allow-empty', '-m', 'first');
  }
  git(path.join(dir, 'main'), 'worktree', 'add', '-q', '../fix', '-b', 'fix');
  git(path.join(dir, 'main'), 'submodule', '--quiet', 'add', path.join(dir, 'library'), 'library');
  git(dir, 'clone', '-q', '--bare', path.join(dir, 'main'), 'bare.git');
  git(path.join(dir, 'bare.git'), 'worktree', 'add', '-q', '../of-bare', 'fix');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the worktree of a directory', () => {
  it('is found from any depth', async () => {
    const main = { root: path.join(dir, 'main'), commonDir: path.join(dir, 'main/.git'), repository: 'main' };
    expect(await locate(path.join(dir, 'main'))).toEqual(main);
    expect(await locate(path.join(dir, 'main/src/deep'))).toEqual(main);
    expect(await locate(path.join(dir, 'main/src/removed/since'))).toEqual(main);
  });

  it('that is linked belongs to the main one’s repository', async () => {
    expect(await locate(path.join(dir, 'fix'))).toEqual({
      root: path.join(dir, 'fix'),
      commonDir: path.join(dir, 'main/.git'),
      repository: 'main',
    });
    expect(await locate(path.join(dir, 'of-bare'))).toMatchObject({
      commonDir: path.join(dir, 'bare.git'),
      repository: 'bare',
    });
  });

  it('of a submodule is the submodule', async () => {
    expect(await locate(path.join(dir, 'main/library'))).toMatchObject({
      root: path.join(dir, 'main/library'),
      repository: 'library',
    });
  });

  it('is none outside, and nothing that only looks like one', async () => {
    const odd = path.join(dir, 'odd');
    for (const name of ['empty', 'junk', 'pipe']) mkdirSync(path.join(odd, name), { recursive: true });
    mkdirSync(path.join(odd, 'empty/.git'));
    writeFileSync(path.join(odd, 'junk/.git'), 'x'.repeat(100_000));
    writeFileSync(path.join(odd, 'pipe/.git'), `gitdir: ${path.join(odd, 'pipe/dir')}`);
    mkdirSync(path.join(odd, 'pipe/dir'));
    execFileSync('mkfifo', [path.join(odd, 'pipe/dir/commondir')]);
    expect(await locate(path.join(odd, 'empty'))).toBeUndefined();
    expect(await locate(path.join(odd, 'junk'))).toBeUndefined();
    expect(await locate(path.join(odd, 'pipe'))).toMatchObject({ root: path.join(odd, 'pipe') });
    symlinkSync('loop', path.join(odd, 'loop'));
    expect(await locate(path.join(odd, 'loop/deeper'))).toBeUndefined();
  });
});

describe('the locator', () => {
  it('answers at once from what it knows, and calls back when it knows more', async () => {
    let found = 0;
    const locator = new WorktreeLocator(() => {
      found += 1;
    });
    expect(locator.of(path.join(dir, 'main'))).toBeUndefined();
    await until(() => found === 1);
    expect(locator.of(path.join(dir, 'main'))?.repository).toBe('main');
  });

  it('looks again after a minute, and calls back only when the answer is another', async () => {
    let now = 0;
    let found = 0;
    const fresh = path.join(dir, 'fresh');
    mkdirSync(fresh);
    const locator = new WorktreeLocator(
      () => {
        found += 1;
      },
      () => now,
    );
    locator.of(fresh);
    await new Promise((resolve) => setTimeout(resolve, 200));
    git(fresh, 'init', '-q');
    locator.of(fresh);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(found).toBe(0);
    now = 61_000;
    locator.of(fresh);
    await until(() => found === 1);
    expect(locator.of(fresh)?.root).toBe(fresh);
  });

  it('serves many directories at a time and asks nothing of a relative one', async () => {
    const asked = Array.from({ length: 300 }, (_, index) => path.join(dir, 'main/src', `d${index}`));
    const locator = new WorktreeLocator(() => {});
    for (const cwd of [...asked, 'relative', 'nul\0']) locator.of(cwd);
    await until(() => asked.every((cwd) => locator.of(cwd)?.repository === 'main'));
    expect(locator.of('relative')).toBeUndefined();
  });
});

describe('the words git leaves in files', () => {
  it('give directories and names', () => {
    expect(gitDirOfFile('gitdir: ../main/.git/worktrees/fix\n', '/w/fix')).toBe('/w/main/.git/worktrees/fix');
    expect(gitDirOfFile('something else', '/w')).toBeUndefined();
    expect(repositoryName('/w/main/.git')).toBe('main');
    expect(repositoryName('/w/bare.git')).toBe('bare');
  });
});
