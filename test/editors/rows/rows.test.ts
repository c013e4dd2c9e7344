import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../../contract/messages.ts';
import { buildRows } from '../../../editors/vscode/rows/build.ts';
import { changedRows, EMPTY_MODEL, type RowModel } from '../../../editors/vscode/rows/row.ts';
import type { Worktree } from '../../../editors/vscode/worktrees/worktree.ts';

const KEY = 'window-1';
const MAIN: Worktree = { root: '/w/repo', commonDir: '/w/repo/.git', repository: 'repo' };
const LINKED: Worktree = { root: '/w/repo-fix', commonDir: '/w/repo/.git', repository: 'repo' };
const NAMESAKE: Worktree = { root: '/old/repo', commonDir: '/old/repo/.git', repository: 'repo' };

function locate(cwd: string): Worktree | undefined {
  return [LINKED, MAIN, NAMESAKE].find(({ root }) => cwd === root || cwd.startsWith(`${root}/`));
}

function session(id: string, cwd: string | undefined, more: Partial<SessionEntry> = {}): SessionEntry {
  return {
    session_id: id,
    agent: 'claude',
    state: 'idle',
    source: { kind: 'terminal' },
    last_event: 'stop',
    started_at: '2026-11-30T10:00:00Z',
    last_seen: '2026-11-30T10:00:00Z',
    ...(cwd === undefined ? {} : { cwd }),
    ...more,
  };
}

function build(sessions: SessionEntry[], cues = true): RowModel {
  return buildRows({ sessions, locate, cues, ownKey: KEY });
}

/** The tree as indented text, which is how a reader sees it. */
function drawn(model: RowModel): string[] {
  const lines: string[] = [];
  const visit = (id: string, depth: number): void => {
    const row = model.rows.get(id);
    lines.push(`${'  '.repeat(depth)}${row?.label}${row?.description ? `  ${row.description}` : ''}`);
    for (const child of model.children.get(id) ?? []) visit(child, depth + 1);
  };
  for (const root of model.roots) visit(root, 0);
  return lines;
}

describe('the tree', () => {
  it('groups sessions by repository and worktree, with counts rolled up and model letters', () => {
    const model = build([
      session('a', '/w/repo/src', { state: 'working', model: 'claude-opus-4-8' }),
      session('b', '/w/repo-fix', { state: 'waiting_for_permission', model: 'claude-haiku-4-5' }),
      session('c', '/w/repo', { agent: 'codex', model: 'gpt-5.5' }),
    ]);
    expect(drawn(model)).toEqual([
      'repo  !1 ⚙1 ◦1 [hog]',
      '  repo  ⚙1 ◦1 [og]',
      '    Claude · working  claude-opus-4-8 · a · terminal',
      '    Codex · idle  gpt-5.5 · c · terminal',
      '  repo-fix  !1 [h]',
      '    Claude · needs permission  claude-haiku-4-5 · b · terminal',
    ]);
    expect(model.rows.get('worktree:/w/repo')?.tooltip).toBe('/w/repo\nAgents: 1 working, 1 idle');
    expect(model.rows.get('worktree:/w/repo-fix')?.tooltip).toBe('/w/repo-fix\nClaude: 1 waiting on you');
    expect(model.rows.get('worktree:/w/repo')?.cues).toBe('claude=1-0-1&agents=1');
    expect(model.rows.get('worktree:/w/repo-fix')?.cues).toBe('claude=0-1-0');
  });

  it('keeps two repositories of one name apart', () => {
    const model = build([session('a', '/w/repo'), session('b', '/old/repo')]);
    expect(model.roots).toEqual(['repository:/old/repo/.git', 'repository:/w/repo/.git']);
  });

  it('shows a directory that could not be located under the name the daemon gave its repository', () => {
    const model = build([session('a', '/gone/app', { repo: 'app' }), session('b', '/tmp')]);
    expect(drawn(model)).toEqual([
      'No repository  ◦1 [*]',
      '  tmp  ◦1 [*]',
      '    Claude · idle  b · terminal',
      'app  ◦1 [*]',
      '  app  ◦1 [*]',
      '    Claude · idle  a · terminal',
    ]);
  });

  it('hides no live session: one without a directory has a row, and an ended one has none', () => {
    const model = build([
      session('a', undefined, { state: 'working' }),
      session('b', '/w/repo', { state: 'ended' }),
    ]);
    expect(drawn(model)).toEqual([
      'No repository  ⚙1',
      '  No directory  ⚙1',
      '    Claude · working  a · terminal',
    ]);
    expect(model.total).toEqual({ working: 1, waiting: 0, idle: 0 });
  });

  it('says what goes on beside the state', () => {
    const model = build([
      session('a', '/w/repo', {
        state: 'idle',
        outcome: 'failed',
        background: { subagents: 1, shells: 2 },
        source: { kind: 'vs_code', window_key: KEY },
      }),
      session('b', '/w/repo', { stale: true, source: { kind: 'vs_code', window_key: 'other' } }),
    ]);
    expect(drawn(model).slice(2)).toEqual([
      '    Claude · idle, last turn failed  1 subagent, 2 background shells · a · this window',
      '    Claude · idle  b · another window · not observed',
    ]);
    expect(model.rows.get('worktree:/w/repo')?.cues).toBe('claude=0-0-2&failed=1');
  });

  it('shows rows without counts when the cues are switched off', () => {
    const model = build([session('a', '/w/repo', { state: 'working' })], false);
    expect(drawn(model).slice(0, 2)).toEqual(['repo', '  repo']);
    expect(model.rows.get('worktree:/w/repo')?.cues).toBeUndefined();
  });

  it('takes nothing from a hostile name but its harmless characters', () => {
    const hostile = `/w/\u202eevil\u001b[2J`;
    const model = build([session('i\u0007d', hostile, { model: 'm\u009b1m', repo: 're\u2066po' })]);
    expect(JSON.stringify([...model.rows.values()].map(({ id, ...shown }) => shown))).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]|\\u001b|\\u0007/,
    );
  });

  it('survives entries of an older or stranger daemon', () => {
    const bare = { session_id: 'a', state: 'idle' } as unknown as SessionEntry;
    const strange = {
      ...session('b', '/w/repo'),
      agent: 'newcomer',
      state: 'dreaming',
    } as unknown as SessionEntry;
    expect(drawn(build([bare, strange]))).toEqual([
      'No repository  ◦1',
      '  No directory  ◦1',
      '    Claude · idle  a · terminal',
    ]);
  });
});

describe('drawing again', () => {
  const two = () => [session('a', '/w/repo'), session('b', '/w/repo-fix')];

  it('is not asked for by a snapshot that says the same', () => {
    const later = two().map((entry) => ({
      ...entry,
      last_seen: '2026-11-30T11:11:11Z',
      last_event: 'post_tool_use' as const,
    }));
    expect(changedRows(build(two()), build(later))).toEqual([]);
  });

  it('is asked for the rows that a change touches, not for their neighbours', () => {
    const [first, second] = two();
    const after = build([{ ...(first as SessionEntry), state: 'working' }, second as SessionEntry]);
    expect(changedRows(build(two()), after)).toEqual([
      'repository:/w/repo/.git',
      'worktree:/w/repo',
      'session:a',
    ]);
  });

  it('is asked for the parent of a row that came or went', () => {
    const after = build([...two(), session('c', '/w/repo')]);
    expect(changedRows(build(two()), after)).toEqual(['repository:/w/repo/.git', 'worktree:/w/repo']);
    expect(changedRows(after, build(two()))).toEqual(['repository:/w/repo/.git', 'worktree:/w/repo']);
  });

  it('is asked for everything when a repository came or went', () => {
    expect(changedRows(EMPTY_MODEL, build(two()))).toBe('all');
    expect(changedRows(build(two()), EMPTY_MODEL)).toBe('all');
  });
});
