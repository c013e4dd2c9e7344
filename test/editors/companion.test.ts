import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Companion, type CompanionView } from '../../editors/vscode/companion.ts';
import { Diagnostics } from '../../editors/vscode/diagnostics.ts';
import type { FeedStatus } from '../../editors/vscode/feed/session-feed.ts';
import type { RowChanges, RowModel } from '../../editors/vscode/rows/row.ts';
import { readSettings } from '../../editors/vscode/settings.ts';
import type { StatusText } from '../../editors/vscode/status-text.ts';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { until } from '../support/until.ts';
import { MemoryLog } from './memory-log.ts';

/** Keeps what it was asked to draw. */
class RecordingView implements CompanionView {
  readonly draws: RowChanges[] = [];
  readonly statusBars: (string | undefined)[] = [];
  readonly badges: number[] = [];
  readonly connections: FeedStatus[] = [];
  model: RowModel | undefined;

  rows(model: RowModel, changes: RowChanges): void {
    this.model = model;
    this.draws.push(changes);
  }

  statusBar(status: StatusText | undefined): void {
    this.statusBars.push(status?.text);
  }

  badge(waiting: number): void {
    this.badges.push(waiting);
  }

  connection(status: FeedStatus): void {
    this.connections.push(status);
  }
}

const row = (session_id: string, state: string, cwd = '/w/repo') => ({
  session_id,
  state,
  cwd,
  agent: 'claude',
  source: { kind: 'terminal' },
  last_seen: new Date().toISOString(),
});

let daemon: FakeDaemon;
let view: RecordingView;
let log: MemoryLog;
let companion: Companion;

function open(more: Record<string, unknown> = {}): void {
  const values: Record<string, unknown> = { socketPath: daemon.socket, heartbeatSeconds: 1, ...more };
  const around = { env: {}, platform: 'linux', home: daemon.dir, uid: 1 } as const;
  companion = new Companion({
    settings: readSettings((name) => values[name], around),
    key: 'window-1',
    view,
    diagnostics: new Diagnostics(log),
    count: () => ({ folders: ['/w/repo'], tabs: 1, terminals: 0 }),
  });
}

beforeEach(async () => {
  view = new RecordingView();
  log = new MemoryLog();
  daemon = await new FakeDaemon().listen();
});

afterEach(async () => {
  await companion.close();
  await daemon.close();
});

describe('the companion', () => {
  it('draws what the daemon says, and the numbers of all surfaces agree', async () => {
    daemon.sessions = [row('a', 'working'), row('b', 'waiting_for_input')];
    open();
    await until(() => view.model?.sessions.size === 2);
    expect(view.connections).toEqual(['connecting', 'live']);
    expect(view.statusBars.at(-1)).toBe('$(hubot) !1 ⚙1');
    expect(view.badges.at(-1)).toBe(1);
    expect(view.model?.rows.get('worktree:/w/repo')?.description).toBe('!1 ⚙1 [*]');
  });

  it('draws nothing again while nothing changes, however often the daemon speaks', async () => {
    daemon.sessions = [row('a', 'working')];
    open();
    await until(() => view.model?.sessions.size === 1);
    const before = [view.draws.length, view.statusBars.length, view.badges.length];
    for (let count = 0; count < 5; count += 1) {
      daemon.push([row('a', 'working')]);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect([view.draws.length, view.statusBars.length, view.badges.length]).toEqual(before);
    daemon.push([row('a', 'idle')]);
    await until(() => view.draws.length === (before[0] ?? 0) + 1);
    expect(view.draws.at(-1)).toEqual(['repository:', 'worktree:/w/repo', 'session:a']);
  });

  it('regroups rows when the worktree of a directory becomes known', async () => {
    const repository = path.join(daemon.dir, 'repo');
    mkdirSync(path.join(repository, '.git/HEAD'), { recursive: true });
    daemon.sessions = [row('a', 'idle', path.join(repository, 'src'))];
    open();
    await until(() => view.model?.roots[0] === `repository:${repository}/.git`);
    expect(view.model?.children.get(`repository:${repository}/.git`)).toEqual([`worktree:${repository}`]);
  });

  it('shows no counts when the cues are off, and takes those of before away', async () => {
    daemon.sessions = [row('a', 'waiting_for_input')];
    open({ showClaudeSessions: false });
    await until(() => view.model?.sessions.size === 1);
    expect(view.statusBars).toEqual([undefined]);
    expect(view.badges).toEqual([0]);
  });

  it('starts with an empty tree, whatever was drawn before it', () => {
    open();
    expect(view.draws).toEqual(['all']);
    expect(view.model?.roots).toEqual([]);
  });

  it('asserts nothing of a daemon that is gone, and reports its window to the next one at once', async () => {
    daemon.sessions = [row('a', 'working')];
    open({ heartbeatSeconds: 25 });
    await until(() => view.model?.sessions.size === 1);
    const windows = () => daemon.requests.filter(({ op }) => op === 'window').length;
    await until(() => windows() === 1);
    await daemon.stop();
    await until(() => view.connections.at(-1) === 'unreachable');
    expect(view.model?.sessions.size).toBe(0);
    expect(view.statusBars.at(-1)).toBe('$(debug-disconnect) agents');
    await daemon.listen();
    await until(() => view.connections.at(-1) === 'live');
    await until(() => windows() === 2);
  });

  it('reports its window to a daemon that came back before anyone missed it', async () => {
    open({ heartbeatSeconds: 25 });
    const windows = () => daemon.requests.filter(({ op }) => op === 'window').length;
    await until(() => view.connections.at(-1) === 'live' && windows() === 1);
    await daemon.stop();
    await daemon.listen();
    await until(() => windows() === 2);
  });

  it('writes ids, keys and outcomes to the log, and nothing of a session', async () => {
    daemon.sessions = [row('a', 'working', '/w/secret-project')];
    open();
    await until(() => view.model?.sessions.size === 1);
    await until(() => log.of('warn').length > 0);
    expect(log.text()).toContain('key=window-1');
    expect(log.text()).not.toContain('secret-project');
  });
});
