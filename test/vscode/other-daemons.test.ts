import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { countMutations, watchMutations } from './dom.ts';
import { type EditorWindow, eventually } from './window.ts';
import { World } from './world.ts';

const world = new World();
const daemon = new FakeDaemon();
let window: EditorWindow;

const row = (session_id: string, state: string) => ({
  session_id,
  state,
  agent: 'claude',
  cwd: world.outer,
  source: { kind: 'terminal' },
  last_event: 'stop',
  last_seen: new Date().toISOString(),
});

const windowReports = () =>
  daemon.requests
    .filter(({ op }) => op === 'window')
    .map(({ payload }) => payload as Record<string, unknown>);

beforeAll(async () => {
  daemon.streams = false;
  daemon.sessions = [row('a', 'working')];
  await daemon.listen();
  await world.start({ 'omniDevWorktrees.heartbeatSeconds': 1 });
  window = await world.open(world.outer);
  await window.showSessions();
});

afterAll(async () => {
  await world.omniDev('daemon', 'stop').catch(() => undefined);
  await world.stop();
  await daemon.close();
});

describe('without a daemon', () => {
  it('the window says so and offers to start one', async () => {
    await eventually(
      () => window.statusBar(),
      (text) => text === 'agents',
      'the absence was not shown',
    );
    expect(await window.welcome()).toContain('Start Daemon');
  });
});

describe('a daemon that cannot stream, at the socket of the settings', () => {
  it('is found when the setting changes, and polled', async () => {
    await window.inside('setting', 'omniDevWorktrees.socketPath', daemon.socket);
    await eventually(
      () => window.statusBar(),
      (text) => text === '⚙1',
      'the daemon was not found',
    );
    expect(await window.statusBarTooltip()).toContain('cannot stream');
    daemon.sessions = [row('a', 'waiting_for_permission')];
    await eventually(
      () => window.statusBar(),
      (text) => text === '!1',
      'the change was not polled',
    );
    expect(daemon.requests.filter(({ op }) => op === 'subscribe')).toHaveLength(1);
  });

  it('is streamed from when an upgrade restarts it', async () => {
    await daemon.stop();
    daemon.streams = true;
    await daemon.listen();
    await eventually(
      async () => daemon.subscribers,
      (count) => count === 1,
      'nobody subscribed',
    );
    daemon.push([row('a', 'idle')]);
    await eventually(
      () => window.statusBar(),
      (text) => text === '◦1',
      'the frame was not drawn',
    );
    expect(await window.statusBarTooltip()).not.toContain('cannot stream');
  });
});

describe('the report of a window', () => {
  it('counts Claude’s tabs and terminals, each once, and names the folders', async () => {
    const counts = { folders: [world.outer], tabs: 2, terminals: 2 };
    await window.inside('panel');
    await window.inside('panel');
    await window.inside('otherPanel');
    await window.inside('terminal', 'Claude Code');
    await window.inside('terminal', 'bash');
    await window.inside('editorTerminal', 'claude');
    const report = await eventually(
      async () => windowReports().at(-1),
      (last) => last?.tabs === 2 && last.terminals === 2,
      'the counts were not reported',
    );
    expect(report).toMatchObject(counts);
    expect(Object.keys(report ?? {}).sort()).toEqual(['folders', 'key', 'tabs', 'terminals']);
    // Another beat or two: what was counted stays counted.
    const seen = windowReports().length;
    await eventually(
      async () => windowReports().length,
      (length) => length >= seen + 2,
      'no heartbeat',
    );
    expect(windowReports().at(-1)).toMatchObject(counts);
    await window.inside('closeAll');
    await eventually(
      async () => windowReports().at(-1),
      (last) => last?.tabs === 0 && last.terminals === 0,
      'the closed ones are still reported',
    );
  });

  it('keeps its key for as long as the window lives', () => {
    expect(new Set(windowReports().map(({ key }) => key)).size).toBe(1);
  });
});

describe('drawing', () => {
  it('does not happen again for a snapshot that says the same', async () => {
    daemon.push([row('a', 'idle'), row('b', 'working')]);
    await eventually(
      () => window.statusBar(),
      (text) => text === '⚙1 ◦1',
      'not drawn',
    );
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await window.page.evaluate(watchMutations, '.sidebar .tree-explorer-viewlet-tree-view');
    for (let push = 0; push < 15; push += 1) {
      daemon.push([row('a', 'idle'), row('b', 'working')]);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(await window.page.evaluate(countMutations, '')).toBe(0);
    daemon.push([row('a', 'idle'), row('b', 'idle')]);
    await eventually(
      () => window.page.evaluate(countMutations, ''),
      (count) => count > 0,
      'a change was not drawn',
    );
  });

  it('leaves out the counts when they are switched off, and brings them back', async () => {
    await window.inside('setting', 'omniDevWorktrees.showClaudeSessions', false);
    await eventually(
      () => window.statusBar(),
      (text) => text === '',
      'the status bar item is still there',
    );
    await eventually(
      () => window.drawn(),
      (lines) => lines[0] === 'project',
      'the rows still have their counts',
    );
    expect(await window.activityBadge()).toBe('');
    await window.inside('setting', 'omniDevWorktrees.showClaudeSessions', true);
    await eventually(
      () => window.statusBar(),
      (text) => text === '◦2',
      'the status bar item did not come back',
    );
    await eventually(
      () => window.drawn(),
      (lines) => lines[0] === 'project  ◦2 [*]',
      'the counts did not come back',
    );
  });
});

describe('commands that run omni-dev', () => {
  const settings = () => path.join(world.server.userData, 'User', 'settings.json');

  it('install the wrapper in the settings of this VS Code, and take it out', async () => {
    await window.inside('setting', 'omniDevWorktrees.binaryPath', world.program);
    void window.command('omniDevSessions.installWrapper').catch(() => {});
    await eventually(
      async () => readFileSync(settings(), 'utf8'),
      (text) => text.includes('claudeCode.claudeProcessWrapper'),
      'the setting was not written',
    );
    const shim = /"claudeCode\.claudeProcessWrapper": "([^"]+)"/.exec(readFileSync(settings(), 'utf8'))?.[1];
    expect(existsSync(shim ?? '')).toBe(true);
    await eventually(
      () => window.notifications(),
      (texts) => texts.some((text) => text.includes('wrapper is installed')),
      'no notification',
    );
    void window.command('omniDevSessions.uninstallWrapper').catch(() => {});
    await eventually(
      async () => readFileSync(settings(), 'utf8'),
      (text) => !text.includes('claudeCode.claudeProcessWrapper'),
      'the setting was not taken out',
    );
  });

  it('start the daemon, and the window is connected at once', async () => {
    await window.inside('setting', 'omniDevWorktrees.socketPath', undefined);
    await eventually(
      () => window.statusBar(),
      (text) => text === 'agents',
      'still at the other daemon',
    );
    await window.command('omniDevSessions.startDaemon');
    await eventually(
      () => window.statusBar(),
      (text) => text === '0',
      'not connected to the started daemon',
    );
  });
});
