import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, sameTallies, sumTallies, tallySessions } from '../../../editors/vscode/cues/tally.ts';
import { WorktreePaths } from '../../../editors/vscode/cues/worktree-paths.ts';

const component = fc.constantFrom('a', 'b', 'ab', 'repo', 'repo-two', '.hidden');
const directory = fc.array(component, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
const state = fc.constantFrom(
  'starting',
  'working',
  'idle',
  'waiting_for_input',
  'waiting_for_permission',
  'ended',
);

/** The rule in its plainest form: among the paths that equal the cwd or are an ancestor of it, the longest. */
function longestAncestor(cwd: string, paths: string[]): string | undefined {
  return paths
    .filter((path) => path === '/' || cwd === path || cwd.startsWith(`${path}/`))
    .sort((left, right) => right.length - left.length)[0];
}

describe('the worktree of a session', () => {
  it('is the longest path that contains its cwd, for any paths', () => {
    fc.assert(
      fc.property(directory, fc.uniqueArray(directory, { maxLength: 8 }), (cwd, paths) => {
        expect(new WorktreePaths(paths).containing(cwd)).toBe(longestAncestor(cwd, paths));
      }),
    );
  });

  it('is none for a relative, empty or absurdly long cwd', () => {
    const worktrees = new WorktreePaths(['/w']);
    expect(worktrees.containing('w')).toBeUndefined();
    expect(worktrees.containing('')).toBeUndefined();
    expect(worktrees.containing(`/w/${'/'.repeat(1_000_000)}x`)).toBeUndefined();
  });

  it('can be the root directory, below every other path', () => {
    const worktrees = new WorktreePaths(['/', '/w']);
    expect(worktrees.containing('/')).toBe('/');
    expect(worktrees.containing('/tmp')).toBe('/');
    expect(worktrees.containing('/w/src/')).toBe('/w');
  });
});

describe('a tally', () => {
  it('counts every live session below a path exactly once', () => {
    const sessions = fc.array(fc.record({ state, cwd: directory }), { maxLength: 40 });
    fc.assert(
      fc.property(sessions, fc.uniqueArray(directory, { maxLength: 6 }), (all, paths) => {
        const { working, waiting, idle } = sumTallies(tallySessions(all, paths).values());
        const counted = all.filter(
          (session) => session.state !== 'ended' && longestAncestor(session.cwd, paths) !== undefined,
        );
        expect(working + waiting + idle).toBe(counted.length);
      }),
    );
  });

  it('counts a state word of a newer daemon nowhere', () => {
    expect(bucketOf('dreaming')).toBeUndefined();
    expect(tallySessions([{ state: 'dreaming', cwd: '/w' }], ['/w']).size).toBe(0);
  });

  it('takes a path named like an object property for a path', () => {
    const tallies = tallySessions([{ state: 'idle', cwd: '/__proto__/constructor' }], ['/__proto__']);
    expect([...tallies]).toEqual([['/__proto__', { working: 0, waiting: 0, idle: 1 }]]);
  });

  it('is the same as another only when every path and count is', () => {
    const one = tallySessions([{ state: 'idle', cwd: '/w' }], ['/w']);
    expect(sameTallies(one, tallySessions([{ state: 'starting', cwd: '/w/src' }], ['/w']))).toBe(true);
    expect(sameTallies(one, tallySessions([{ state: 'working', cwd: '/w' }], ['/w']))).toBe(false);
  });
});
