import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desktopCommand } from '../../cli/attention/notifiers.ts';
import { WaitGoal } from '../../cli/attention/wait-goal.ts';
import { WaitNotices } from '../../cli/attention/wait-notices.ts';
import type { WaitState } from '../../cli/attention/wait-states.ts';
import { type Row, toRows } from '../../cli/view/row.ts';
import type { SessionState } from '../../contract/events.ts';
import type { SessionEntry } from '../../contract/messages.ts';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { until } from '../support/until.ts';
import { entry } from './support/entries.ts';
import { runCommand } from './support/run-cli.ts';

function rows(...sessions: [id: string, state: SessionState, over?: Partial<SessionEntry>][]): Row[] {
  return toRows({ sessions: sessions.map(([id, state, over]) => entry(id, { state, ...over })) });
}

describe('waiting for a session', () => {
  const goal = (id: string | undefined, state: WaitState = 'waiting') => new WaitGoal({ id, state });
  const verdicts = (wait: WaitGoal, ...snapshots: Row[][]) =>
    snapshots.map((snapshot, index) => wait.take(snapshot, index * 1_000, false).is);

  it('ends with either wait', () => {
    expect(verdicts(goal('a'), rows(['a1', 'working']), rows(['a1', 'waiting_for_permission']))).toEqual([
      'not-yet',
      'reached',
    ]);
    expect(verdicts(goal('a'), rows(['a1', 'waiting_for_input']))).toEqual(['reached']);
  });

  it('keeps to the session it found first, though others come that begin alike', () => {
    const wait = goal('a');
    expect(
      verdicts(wait, rows(['a1', 'working']), rows(['a1', 'working'], ['a2', 'waiting_for_input'])),
    ).toEqual(['not-yet', 'not-yet']);
  });

  it('refuses a beginning that fits several, but takes a whole id', () => {
    expect(goal('a').take(rows(['a1', 'idle'], ['a2', 'idle']), 0, false).is).toBe('impossible');
    expect(goal('a', 'idle').take(rows(['a', 'idle'], ['a2', 'working']), 0, false)).toMatchObject({
      is: 'reached',
      id: 'a',
    });
  });

  it('gives a daemon a moment to find the session, then says that there is none', () => {
    expect(verdicts(goal('zz'), [], [], [], [])).toEqual(['not-yet', 'not-yet', 'not-yet', 'impossible']);
  });

  it('does not take starting for idle, nor an ended session for a waiting one', () => {
    expect(verdicts(goal('a', 'idle'), rows(['a', 'starting']), rows(['a', 'idle']))).toEqual([
      'not-yet',
      'reached',
    ]);
    expect(verdicts(goal('a'), rows(['a', 'ended']))).toEqual(['impossible']);
  });

  it('takes a session that is gone for ended, unless the daemon was away meanwhile', () => {
    expect(verdicts(goal('a', 'ended'), rows(['a', 'idle']), [])).toEqual(['not-yet', 'reached']);
    const wait = goal('a', 'ended');
    wait.take(rows(['a', 'idle']), 0, false);
    expect(wait.take([], 1_000, true).is).toBe('not-yet');
    expect(wait.take(rows(['a', 'idle']), 2_000, true).is).toBe('not-yet');
    expect(wait.take([], 3_000, true).is).toBe('not-yet');
    expect(wait.take([], 40_000, true).is).toBe('reached');
  });

  it('ends with any session when asked so', () => {
    expect(
      verdicts(goal(undefined), rows(['a', 'working']), rows(['a', 'working'], ['b', 'waiting_for_input'])),
    ).toEqual(['not-yet', 'reached']);
  });
});

describe('notices', () => {
  const every = { failed: true, done: true };
  const told = (notices: WaitNotices, ...steps: [atMs: number, rows: Row[]][]) =>
    steps.map(([at, snapshot]) => notices.take(snapshot, at).map(({ kind }) => kind));

  it('come once per wait, after it has lasted 300 ms', () => {
    const waiting = rows(['a', 'waiting_for_permission']);
    const notices = new WaitNotices(every);
    expect(told(notices, [0, waiting])).toEqual([[]]);
    expect(notices.nextLookMs(100)).toBe(200);
    expect(told(notices, [300, waiting], [400, waiting], [90_000, waiting])).toEqual([
      ['permission'],
      [],
      [],
    ]);
    expect(notices.nextLookMs(400)).toBeUndefined();
  });

  it('do not come for a wait that somebody answered at once', () => {
    const notices = new WaitNotices(every);
    const steps = told(
      notices,
      [0, rows(['a', 'waiting_for_permission'])],
      [200, rows(['a', 'working'])],
      [400, rows(['a', 'waiting_for_permission'])],
      [600, rows(['a', 'working'])],
      [2_000, rows(['a', 'working'])],
    );
    expect(steps.flat()).toEqual([]);
  });

  it('come again for the next wait', () => {
    const notices = new WaitNotices(every);
    const waiting = rows(['a', 'waiting_for_input']);
    const steps = told(
      notices,
      [0, waiting],
      [300, waiting],
      [400, rows(['a', 'working'])],
      [500, waiting],
      [900, waiting],
    );
    expect(steps.flat()).toEqual(['input', 'input']);
  });

  it('do not come twice for one wait when the daemon restarts under it', () => {
    const notices = new WaitNotices(every);
    const waiting = rows(['a', 'waiting_for_input']);
    expect(
      told(notices, [0, waiting], [300, waiting], [1_000, []], [5_000, waiting], [9_000, waiting]).flat(),
    ).toEqual(['input']);
  });

  it('A8: tell that a turn is done only when nothing runs on in the background', () => {
    const notices = new WaitNotices(every);
    const background = { outcome: 'done', background: { subagents: 0, shells: 1 } } as const;
    const finished = { outcome: 'done', background: { subagents: 0, shells: 0 } } as const;
    const steps = told(
      notices,
      [0, rows(['a', 'working'])],
      [1_000, rows(['a', 'idle', background])],
      [5_000, rows(['a', 'idle', background])],
      [6_000, rows(['a', 'idle', finished])],
      [6_300, rows(['a', 'idle', finished])],
      [9_000, rows(['a', 'idle', finished])],
    );
    expect(steps.flat()).toEqual(['done']);
  });

  it('A19: tell that a turn failed, and nothing about turns that ended before', () => {
    const failed = rows(['a', 'idle', { outcome: 'failed' }]);
    expect(told(new WaitNotices(every), [0, failed], [900, failed]).flat()).toEqual([]);
    const working = rows(['a', 'working']);
    expect(told(new WaitNotices(every), [0, working], [1, failed], [900, failed]).flat()).toEqual(['failed']);
    const none = new WaitNotices({ failed: false, done: false });
    expect(told(none, [0, working], [1, failed], [900, failed]).flat()).toEqual([]);
  });
});

describe('the desktop’s tool', () => {
  const [row] = rows(['a', 'waiting_for_input', { repo: '-e <b>"$(x)`', cwd: '/p\u001b]9;x\u0007' }]);

  it('gets texts as arguments and as markup that means nothing', () => {
    if (row === undefined) throw new Error('no row');
    expect(desktopCommand('linux', { kind: 'input', row })).toEqual([
      'notify-send',
      '--urgency=normal',
      '--app-name=omni-dev',
      '--',
      'Claude waits for your answer',
      '-e &lt;b&gt;"$(x)` · /p]9;x',
    ]);
    const mac = desktopCommand('darwin', { kind: 'input', row });
    expect(mac.slice(0, -2).join(' ')).not.toContain('$(x)');
    expect(mac.at(-1)).toBe('-e <b>"$(x)` · /p]9;x');
  });
});

describe('the commands', () => {
  let daemon: FakeDaemon;
  let dir: string;
  beforeEach(async () => {
    daemon = await new FakeDaemon().listen();
    dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
  });
  afterEach(async () => {
    await daemon.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('sessions wait ends when the state comes, and prints the session', async () => {
    daemon.sessions = [entry('abc', { state: 'working' })];
    const waiting = runCommand(['sessions', 'wait', 'ab', '--for', 'idle', '--socket', daemon.socket]);
    await until(() => daemon.subscribers === 1);
    daemon.push([entry('abc', { state: 'idle' })]);
    expect(await waiting).toEqual({ exitCode: 0, stdout: 'abc idle\n', stderr: '' });
  });

  it('sessions wait gives up with 124, and wants either an id or --any', async () => {
    const call = (...argv: string[]) => runCommand(['sessions', 'wait', ...argv, '--socket', daemon.socket]);
    expect((await call('--any', '--timeout', '0.1')).exitCode).toBe(124);
    expect((await call()).exitCode).toBe(2);
    expect((await call('x', '--any')).exitCode).toBe(2);
  });

  it('sessions wait goes on over a restart of the daemon', async () => {
    daemon.sessions = [entry('abc', { state: 'working' })];
    const waiting = runCommand(['sessions', 'wait', '--any', '--socket', daemon.socket]);
    await until(() => daemon.subscribers === 1);
    await daemon.stop();
    daemon.sessions = [entry('abc', { state: 'waiting_for_input' })];
    await daemon.listen();
    expect((await waiting).stdout).toBe('abc waiting_for_input\n');
  });

  it('sessions notify runs the command once per wait, with JSON on its stdin', async () => {
    const out = path.join(dir, 'out');
    writeFileSync(out, '');
    daemon.sessions = [entry('abc', { state: 'waiting_for_permission', repo: 'shop', cwd: '/p/shop' })];
    const reader = new AbortController();
    const running = runCommand(
      ['sessions', 'notify', '--command', `cat >> '${out}'`, '--socket', daemon.socket],
      {
        env: { PATH: process.env.PATH ?? '' },
        readerGone: reader.signal,
      },
    );
    await until(() => readFileSync(out, 'utf8') !== '');
    daemon.push([
      entry('abc', { state: 'waiting_for_permission', repo: 'shop', cwd: '/p/shop', model: 'm' }),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    reader.abort();
    expect((await running).stderr).toBe('');
    const notices = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(notices).toHaveLength(1);
    expect(JSON.parse(notices[0] ?? '')).toMatchObject({
      notice: 'permission',
      session_id: 'abc',
      name: 'shop',
    });
  });

  it('sessions notify says once that a tool is missing, and goes on', async () => {
    daemon.sessions = [
      entry('abc', { state: 'waiting_for_input', repo: 'shop' }),
      entry('d', { state: 'waiting_for_input' }),
    ];
    const reader = new AbortController();
    const running = runCommand(['sessions', 'notify', '--socket', daemon.socket], {
      env: { PATH: '/nonexistent' },
      readerGone: reader.signal,
    });
    await until(() => daemon.subscribers === 1);
    await new Promise((resolve) => setTimeout(resolve, 800));
    reader.abort();
    const { stdout, stderr } = await running;
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain('did not start');
  });
});
