import { describe, expect, it } from 'vitest';
import { normalizeRemote, originAddress } from '../../agents/git-remotes.ts';

describe('the id of a repository', () => {
  it.each([
    'https://github.com/acme/shop.git',
    'https://github.com/acme/shop',
    'https://github.com/acme/shop/',
    'https://token@github.com/acme/shop.git',
    'https://user:secret@github.com/acme/shop.git',
    'https://github.com:443/acme/shop.git',
    'http://GitHub.com/acme/shop.git',
    'ssh://git@github.com/acme/shop.git',
    'ssh://git@github.com:22/acme/shop.git',
    'git://github.com/acme/shop.git',
    'git+ssh://git@github.com/acme/shop.git',
    'git@github.com:acme/shop.git',
    'git@github.com:/acme/shop.git',
    'github.com:acme/shop',
    ' git@github.com:acme/shop.git ',
  ])('%s', (address) => {
    expect(normalizeRemote(address)).toBe('github.com/acme/shop');
  });

  it('keeps groups, and the case of names', () => {
    expect(normalizeRemote('git@gitlab.com:Group/Sub/Shop.git')).toBe('gitlab.com/Group/Sub/Shop');
  });

  it.each([
    '',
    '/srv/git/shop.git',
    '../shop',
    'file:///srv/git/shop.git',
    'C:\\src\\shop',
    'shop',
    'https://',
  ])('%j has none', (address) => {
    expect(normalizeRemote(address)).toBeUndefined();
  });

  it('never holds a password or leaves the host', () => {
    expect(normalizeRemote('https://user:secret@github.com/acme/shop')).not.toContain('secret');
    expect(normalizeRemote('git@github.com:../../etc/passwd')).toBeUndefined();
  });
});

describe('the origin in a git configuration', () => {
  it.each([
    ['plain', '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:acme/shop.git\n'],
    [
      'the first of two addresses',
      '[remote "origin"]\nurl=git@github.com:acme/shop.git\nurl = https://x/y\n',
    ],
    ['quoted, with a comment', '[remote "origin"] # main\n url = "git@github.com:acme/shop.git" ; old\n'],
    [
      'after another remote',
      '[remote "fork"]\nurl = x@y:z\n[remote "origin"]\nurl = git@github.com:acme/shop.git',
    ],
    ['in any case', '[REMOTE "origin"]\r\n  URL = git@github.com:acme/shop.git\r\n'],
    ['in the old form', '[remote.origin]\nurl = git@github.com:acme/shop.git\n'],
    ['on a continued line', '[remote "origin"]\nurl = git@github.com:\\\nacme/shop.git\n'],
  ])('%s', (_what, config) => {
    expect(originAddress(config)).toBe('git@github.com:acme/shop.git');
  });

  it.each([
    ['no remote', '[core]\n\tbare = false\n'],
    ['another remote', '[remote "upstream"]\nurl = git@github.com:acme/shop.git\n'],
    ['a commented one', '[remote "origin"]\n# url = git@github.com:acme/shop.git\n'],
    ['nothing', ''],
  ])('is absent with %s', (_what, config) => {
    expect(originAddress(config)).toBeUndefined();
  });
});
