import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NAVIGATION } from '../lab/browser.ts';
import { allowWhatItAsks, startAskingClaude } from './asking-claude.ts';
import { type EditorWindow, eventually } from './window.ts';
import { World } from './world.ts';

const HOOKED = '11111111-1111-4111-8111-111111111111';
const ASKING = '22222222-2222-4222-8222-222222222222';

const world = new World();
let outer: EditorWindow;
let inner: EditorWindow;

/** The key a window's report carries, by the newest line of the output channel that names one not in `known`. */
const keys = () => [...world.output().matchAll(/window key=([0-9a-f-]+)/g)].map(([, key]) => key ?? '');

function untilDrawn(window: EditorWindow, lines: string[]): Promise<string[]> {
  const fits = (drawn: string[]) => JSON.stringify(drawn) === JSON.stringify(lines);
  return eventually(() => window.drawn(), fits, `the tree never was\n${lines.join('\n')}`);
}

const untilSource = (id: string, fits: (source: string) => boolean, what: string) =>
  eventually(() => world.sourceOf(id), fits, what);

beforeAll(async () => {
  await world.startDaemon();
  await world.start({ 'omniDevWorktrees.heartbeatSeconds': 2 });
  outer = await world.open(world.outer);
  inner = await world.open(world.inner);
  await outer.showSessions();
  await inner.showSessions();
});

afterAll(() => world.stop());

describe('two windows on nested folders', () => {
  it('say that nothing runs while nothing runs', async () => {
    await eventually(
      () => outer.welcome(),
      (text) => text === 'No active agent sessions.',
      'no welcome text',
    );
    expect(await outer.statusBar()).toBe('0');
    expect(await outer.activityBadge()).toBe('');
  });

  it('show sessions of hooks and of exact feeds, grouped, and both windows the same', async () => {
    const hook = { session_id: HOOKED, cwd: `${world.outer}/src` };
    await world.hook({
      ...hook,
      hook_event_name: 'SessionStart',
      source: 'startup',
      model: 'claude-opus-4-8',
    });
    await world.hook({ ...hook, hook_event_name: 'UserPromptSubmit', prompt: 'a secret prompt' });
    await world.hook({
      session_id: ASKING,
      cwd: `${world.inner}/src`,
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: 'a secret message',
    });
    await world.observe({
      session_id: 'codex-1',
      agent: 'codex',
      event: { stream_state: 'idle' },
      outcome: 'failed',
      cwd: world.home.dir,
      model: 'gpt-5.5',
    });
    const home = path.basename(world.home.dir);
    const lines = [
      'No repository  ◦1 [g]',
      `  ${home}  ◦1 [g]`,
      '    Codex · idle, last turn failed  gpt-5.5 · codex-1 · terminal',
      'nested  !1 [*]',
      '  nested  !1 [*]',
      '    Claude · needs permission  22222222 · terminal',
      'project  ⚙1 [o]',
      '  project  ⚙1 [o]',
      '    Claude · working  claude-opus-4-8 · 11111111 · terminal',
    ];
    await untilDrawn(outer, lines);
    await untilDrawn(inner, lines);
    await outer.picture('sessions');
  });

  it('draw the counts as badges and colours on the rows, on the activity bar and in the status bar', async () => {
    const rows = await eventually(
      () => outer.rows(),
      (drawn) => drawn.every(({ level, badge }) => level === 3 || badge !== ''),
      'rows without a badge',
    );
    const worktrees = rows.filter(({ level }) => level === 2);
    expect(worktrees.map(({ badge }) => badge)).toEqual(['◦1', '!1', '⚙1']);
    const [failed, waiting, working] = worktrees.map(({ color }) => color);
    const plain = rows.find(({ level }) => level === 3)?.color;
    expect(new Set([failed, waiting, working, plain]).size).toBe(4);
    expect(worktrees[0]?.tooltip).toContain('Agents: 1 idle');
    expect(worktrees[1]?.tooltip).toContain('Claude: 1 waiting on you');
    expect(await outer.statusBar()).toBe('!1 ⚙1 ◦1');
    expect(await outer.statusBarTooltip()).toContain('Agents: 1 waiting on you, 1 working, 1 idle');
    expect(await outer.activityBadge()).toBe('1');
    await world.end('codex-1');
    await eventually(
      () => outer.statusBarTooltip(),
      (text) => text.startsWith('Claude: '),
      'still agents of others',
    );
  });

  it('follow a session from one state to the next', async () => {
    await world.hook({ session_id: HOOKED, cwd: `${world.outer}/src`, hook_event_name: 'Stop' });
    await eventually(
      () => inner.statusBar(),
      (text) => text === '!1 ◦1',
      'the stop was not seen',
    );
    await world.hook({ session_id: HOOKED, cwd: `${world.outer}/src`, hook_event_name: 'UserPromptSubmit' });
    await eventually(
      () => inner.statusBar(),
      (text) => text === '!1 ⚙1',
      'the prompt was not seen',
    );
  });
});

describe('the source of a session', () => {
  it('is the terminal while no window embeds Claude', async () => {
    expect(await world.sourceOf(ASKING)).toBe('terminal');
    expect(await world.sourceOf(HOOKED)).toBe('terminal');
  });

  it('is the innermost window that has a Claude tab open', async () => {
    await outer.inside('otherPanel');
    await outer.inside('panel');
    const ofOuter = await untilSource(HOOKED, (source) => source !== 'terminal', 'the tab was not reported');
    // The outer window's folder holds the inner session as well.
    await untilSource(ASKING, (source) => source === ofOuter, 'the session below was not matched');
    await inner.inside('panel');
    const ofInner = await untilSource(ASKING, (source) => source !== ofOuter, 'the inner window did not win');
    expect(ofInner).not.toBe('terminal');
    expect(await world.sourceOf(HOOKED)).toBe(ofOuter);
    await eventually(
      () => inner.drawn(),
      (lines) => lines.some((line) => line.endsWith('22222222 · this window')),
      'the inner window does not know its own session',
    );
    await eventually(
      () => outer.drawn(),
      (lines) => lines.some((line) => line.endsWith('22222222 · another window')),
      'the outer window claims the session',
    );
    await inner.picture('own-session');
  });

  it('is the terminal again when the tabs are closed', async () => {
    await outer.inside('closeAll');
    await inner.inside('closeAll');
    for (const id of [HOOKED, ASKING])
      await untilSource(id, (source) => source === 'terminal', 'still matched');
  });

  it.each([
    ['a terminal with Claude’s name', 'terminal', 'claude: project'],
    ['a terminal with the title the user chose', 'terminal', 'My Agent'],
    ['a terminal in the editor area', 'editorTerminal', 'Claude Code'],
  ])('is the window with %s', async (_what, action, name) => {
    await inner.inside(action, 'bash');
    await inner.inside(action, name);
    await untilSource(ASKING, (source) => source !== 'terminal', 'the terminal was not reported');
    await inner.inside('closeAll');
    await untilSource(ASKING, (source) => source === 'terminal', 'the closed terminal still counts');
  });
});

describe('the real Claude behind the installed wrapper', () => {
  it('is seen working, asking for permission, working on and idle', async () => {
    const host = await startAskingClaude(world);
    const untilRow = (words: string) =>
      eventually(
        () => inner.drawn(),
        (lines) => lines.some((line) => line.includes(words) && !line.includes('22222222')),
        `the real session never was ${words}`,
      );
    try {
      host.prompt('Write a note.');
      await untilRow('Claude · needs permission');
      await inner.picture('real-claude-asks');
      allowWhatItAsks(host);
      await untilRow('Claude · working');
      expect(await host.awaitLine({ type: 'result' }, 60_000)).toBe(true);
      await untilRow('Claude · idle');
    } finally {
      host.closeInput();
      await host.exited;
    }
    await eventually(
      () => inner.statusBar(),
      (text) => text === '!1 ⚙1',
      'the ended session still counts',
    );
  });
});

describe('commands on a session', () => {
  const row = `session:${HOOKED}`;

  it('copy the line that resumes it', async () => {
    // A page in the background may not touch the clipboard, and one that has just come to the front not yet.
    await outer.page.bringToFront();
    await outer.page.mouse.click(700, 300);
    await eventually(
      async () => {
        await outer.command('omniDevSessions.copyResumeCommand', row);
        return outer.inside('clipboard');
      },
      (text) => text === `cd -- ${world.outer}/src && claude --resume ${HOOKED}`,
      'the line is not on the clipboard',
      20_000,
    );
  });

  it('show which feed decides its state', async () => {
    await outer.command('omniDevSessions.showWhy', row);
    const page = await eventually(
      () => outer.inside('document'),
      (text) => String(text).includes('decided by'),
      'no page that says why',
    );
    expect(page).toContain(HOOKED);
    expect(page).toMatch(/\* +hook +working/);
    await outer.picture('why');
    await outer.command('workbench.action.closeAllEditors');
  });

  it('say so when its window is this one', async () => {
    await outer.inside('panel');
    await untilSource(HOOKED, (source) => source !== 'terminal', 'the tab was not reported');
    await eventually(
      () => outer.drawn(),
      (lines) => lines.some((line) => line.endsWith('this window')),
      'not ours',
    );
    await outer.command('omniDevSessions.focusWindow', row);
    await eventually(
      () => outer.notifications(),
      (texts) => texts.some((text) => text.includes('shows in this window')),
      'no notification',
    );
    await outer.command('notifications.clearAll');
    await outer.inside('closeAll');
  });
});

describe('a window that is reloaded', () => {
  it('takes its report back, and reports under a new key', async () => {
    await inner.inside('panel');
    const before = await untilSource(ASKING, (source) => source !== 'terminal', 'the tab was not reported');
    const known = keys();
    await inner.page.reload(NAVIGATION);
    // Long before the report would lapse by itself.
    await eventually(
      () => world.sourceOf(ASKING),
      (source) => source === 'terminal',
      'not taken back',
      25_000,
    );
    await inner.activated();
    await eventually(
      async () => keys(),
      (all) => all.length > known.length,
      'the extension did not start again',
    );
    await inner.showSessions();
    await inner.inside('panel');
    const after = await untilSource(
      ASKING,
      (source) => source !== 'terminal',
      'the tab was not reported again',
    );
    expect(after).not.toBe(before);
    expect(keys()).toContain(after);
    expect((await inner.drawn()).join('\n')).toContain('Claude · needs permission');
  });
});

describe('a daemon that is restarted', () => {
  it('is missed after a moment, and everything is right again by itself', async () => {
    await world.stopDaemon();
    await eventually(
      () => outer.statusBar(),
      (text) => text === 'agents',
      'the loss was not shown',
    );
    expect(await outer.welcome()).toContain('The omni-dev daemon is not running.');
    expect(await outer.drawn()).toEqual([]);
    expect(await outer.activityBadge()).toBe('');
    await outer.picture('no-daemon');
    await world.startDaemon();
    await world.observe({
      session_id: ASKING,
      event: { stream_state: 'waiting_for_input' },
      cwd: world.inner,
    });
    await eventually(
      () => outer.statusBar(),
      (text) => text.includes('!1'),
      'the new daemon was not found',
    );
    // The inner window still shows its panel; nobody had to wait for the 30 s of a report.
    await untilSource(
      ASKING,
      (source) => source !== 'terminal',
      'the window did not report to the new daemon',
    );
  });
});

describe('the output channel', () => {
  it('tells ids, keys and outcomes, and nothing of what anybody wrote', () => {
    const output = world.output();
    expect(output).toMatch(/activated: window key=/);
    expect(output).toMatch(/window_report_failed: key=[0-9a-f-]+ unreachable: DAEMON_UNREACHABLE/);
    expect(output).toMatch(/subscribe_disconnected/);
    expect(output).toMatch(/window_report_recovered/);
    expect(output).not.toContain('secret');
    expect(output).not.toContain('note.txt');
  });
});

describe('a window that is closed', () => {
  it('takes its report back', async () => {
    await untilSource(ASKING, (source) => source !== 'terminal', 'the tab is not reported');
    await inner.page.close({ runBeforeUnload: true });
    await eventually(
      () => world.sourceOf(ASKING),
      (source) => source === 'terminal',
      'not taken back',
      25_000,
    );
  });
});
