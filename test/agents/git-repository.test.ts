import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findGitRepository, repositoryName } from '../../agents/git-repository.ts';

let root: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'omni-dev-git-')));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(...parts: string[]): string {
  const made = path.join(root, ...parts);
  mkdirSync(made, { recursive: true });
  return made;
}

function git(cwd: string, ...args: string[]): void {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], { cwd, env, stdio: 'pipe' });
}

/** A repository with one commit. */
function repository(...parts: string[]): string {
  const made = folder(...parts);
  git(made, 'init', '-q');
  git(made, 'commit', '-q', '--allow-empty', '-m', 'first');
  return made;
}

async function nameAround(cwd: string): Promise<string | undefined> {
  const found = await findGitRepository(cwd);
  return found && repositoryName(found);
}

describe('the repository around a folder', () => {
  it('is found from its top and from any folder below', async () => {
    const top = repository('plain', 'proj');
    expect(await findGitRepository(top)).toEqual({
      gitDir: path.join(top, '.git'),
      commonDir: path.join(top, '.git'),
      workTree: top,
    });
    expect(await nameAround(folder('plain', 'proj', 'a', 'b'))).toBe('proj');
  });

  it('is the nearest one where repositories lie in each other', async () => {
    repository('nested', 'outer');
    expect(await nameAround(repository('nested', 'outer', 'inner'))).toBe('inner');
  });

  it('is the main repository for a linked worktree', async () => {
    const main = repository('linked', 'main-repo');
    const tree = path.join(root, 'linked', 'other-name');
    git(main, 'worktree', 'add', '-q', tree);
    const found = await findGitRepository(tree);
    expect(found).toMatchObject({ commonDir: path.join(main, '.git'), workTree: tree });
    expect(found && repositoryName(found)).toBe('main-repo');
  });

  it('is the bare repository for its worktrees, by its name without .git', async () => {
    const bare = path.join(root, 'bare', 'tools.git');
    git(repository('bare', 'source'), 'clone', '-q', '--bare', '.', bare);
    expect(await nameAround(bare)).toBe('tools');
    const tree = path.join(root, 'bare', 'tree');
    git(bare, 'worktree', 'add', '-q', tree);
    expect(await nameAround(tree)).toBe('tools');
  });

  it('is the submodule inside a submodule', async () => {
    const library = repository('sub', 'library');
    const main = repository('sub', 'application');
    git(main, 'submodule', '--quiet', 'add', library, 'vendor/lib');
    expect(await nameAround(path.join(main, 'vendor', 'lib'))).toBe('lib');
    expect(await nameAround(path.join(main, 'vendor'))).toBe('application');
  });

  it('is found from inside its git directory', async () => {
    const top = repository('inside', 'proj');
    expect(await nameAround(path.join(top, '.git', 'refs'))).toBe('proj');
  });

  it('is looked for from the real folder behind a link', async () => {
    const top = repository('behind', 'real');
    const link = path.join(folder('behind', 'elsewhere'), 'link');
    symlinkSync(path.join(top, '.git', '..'), link);
    expect(await nameAround(link)).toBe('real');
  });

  it.each([
    ['a relative path', 'some/where'],
    ['an empty path', ''],
    ['a folder that does not exist', '/nonexistent/x'],
    ['a path with a NUL', '/tmp/\0'],
  ])('is none for %s', async (_what, cwd) => {
    expect(await findGitRepository(cwd)).toBeUndefined();
  });

  it('is none in a folder without one', async () => {
    expect(await findGitRepository(folder('none'))).toBeUndefined();
  });
});

describe('a `.git` that is none', () => {
  it.each([
    ['an empty file', ''],
    ['a file that names nothing', 'gitdir:\n'],
    ['a file that names a missing folder', 'gitdir: /nonexistent/x\n'],
    ['a file of another kind', 'hello\n'],
    ['a huge file', `gitdir: ${'x'.repeat(100_000)}`],
    ['a file with a NUL in its path', 'gitdir: a\0b\n'],
  ])('is passed over: %s', async (what, content) => {
    const made = folder('bad', what.replaceAll(' ', '-'));
    writeFileSync(path.join(made, '.git'), content);
    expect(await findGitRepository(made)).toBeUndefined();
  });

  it('is passed over when it is an empty folder', async () => {
    folder('bad', 'empty', '.git');
    expect(await findGitRepository(path.join(root, 'bad', 'empty'))).toBeUndefined();
  });

  it('does not loop where two of them name each other', async () => {
    const one = folder('loop', 'one');
    const two = folder('loop', 'two');
    writeFileSync(path.join(one, '.git'), `gitdir: ${two}\n`);
    writeFileSync(path.join(two, '.git'), `gitdir: ${one}\n`);
    expect(await findGitRepository(one)).toBeUndefined();
  });
});
