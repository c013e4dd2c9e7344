import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RepoIndex } from '../../catalog/repo-index.ts';

let root: string;
const at = (...parts: string[]) => path.join(root, ...parts);

function git(folder: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const settings = [
    '-c',
    'user.name=dev',
    '-c',
    'user.email=dev@example.com',
    '-c',
    'protocol.file.allow=always',
  ];
  execFileSync('git', [...settings, ...args], { cwd: folder, env, stdio: 'pipe' });
}

function repository(folder: string, remote?: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'start');
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote);
}

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'omni-dev-repos-')));
  repository(at('src/shop'), 'git@github.com:acme/shop.git');
  repository(at('src/shop/tools/inner'), 'https://github.com/acme/inner');
  repository(at('src/plain'));
  repository(at('src/shop/node_modules/dep'), 'https://github.com/other/dep');
  repository(at('src/vendor/lib'), 'https://github.com/other/lib');
  repository(at('src/.hidden/lib'), 'https://github.com/other/hidden');
  repository(at('src/a/b/c/d/e/f/deep'), 'https://github.com/acme/deep');
  git(at('src/shop'), 'worktree', 'add', '-q', at('src/shop-fix'));
  git(at('src/shop'), 'submodule', '--quiet', 'add', at('src/plain'), 'parts/plain');
  git(at('src/shop/parts/plain'), 'remote', 'set-url', 'origin', 'ssh://git@github.com/acme/plain.git');
  repository(at('outside/one'), 'https://github.com/acme/one');
  mkdirSync(at('outside/none'));
  symlinkSync(at('src'), at('src/loop'));
  mkdirSync(at('outside/one/pkg'), { recursive: true });
  writeFileSync(at('outside/one/pkg/file.ts'), '');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const idOf = async (index: RepoIndex, file: string) => {
  const found = await index.resolve(file);
  return found === undefined ? undefined : (found.id ?? found.name);
};

describe('a path', () => {
  it.each([
    ['below a root belongs to its repository', 'src/shop/till/main.ts', 'github.com/acme/shop'],
    ['in a nested repository belongs to the deepest', 'src/shop/tools/inner/a.ts', 'github.com/acme/inner'],
    ['in a worktree belongs to the main repository', 'src/shop-fix/till.ts', 'github.com/acme/shop'],
    ['in a submodule belongs to the submodule', 'src/shop/parts/plain/a.ts', 'github.com/acme/plain'],
    ['in a repository without a remote has its name', 'src/plain/a.ts', 'plain'],
    ['deeper than the scan is searched upwards', 'src/a/b/c/d/e/f/deep/x.ts', 'github.com/acme/deep'],
    ['outside every root is searched upwards', 'outside/one/pkg/file.ts', 'github.com/acme/one'],
    ['that does not exist any more counts where it was', 'src/shop/gone/away.ts', 'github.com/acme/shop'],
    ['in no repository has none', 'outside/none/a.ts', undefined],
    [
      'in a vendored one belongs to who vendored it',
      'src/shop/node_modules/dep/a.js',
      'github.com/acme/shop',
    ],
  ])('%s', async (_what, file, expected) => {
    expect(await idOf(new RepoIndex([at('src')]), at(file))).toBe(expected);
  });

  it('resolves the same without any root', async () => {
    const index = new RepoIndex();
    expect(await idOf(index, at('src/shop-fix/till.ts'))).toBe('github.com/acme/shop');
    expect(await idOf(index, at('src/shop/parts/plain'))).toBe('github.com/acme/plain');
    expect(await index.resolve('relative')).toBeUndefined();
  });

  it('is looked up once', async () => {
    const index = new RepoIndex();
    const first = await index.resolve(at('outside/one'));
    expect(await index.resolve(at('outside/one'))).toBe(first);
  });
});

describe('the scan of a root', () => {
  it('skips other people’s code and hidden folders, and follows no links', async () => {
    const found = await new RepoIndex([at('src')]).repositories();
    expect(found.map(({ folder }) => path.relative(at('src'), folder)).sort()).toEqual([
      'plain',
      'shop',
      'shop-fix',
      'shop/parts/plain',
      'shop/tools/inner',
    ]);
    expect(found.filter(({ name }) => name === 'shop')).toHaveLength(2);
  });

  it('of a folder that does not exist finds nothing', async () => {
    expect(await new RepoIndex([at('nowhere')]).repositories()).toEqual([]);
  });
});
