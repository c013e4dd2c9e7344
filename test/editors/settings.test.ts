import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../editors/vscode/diagnostics.ts';
import { readSettings } from '../../editors/vscode/settings.ts';
import { statusText } from '../../editors/vscode/status-text.ts';
import { MemoryLog } from './memory-log.ts';

const AROUND = { env: {}, platform: 'linux', home: '/home/u', uid: 1000 } as const;
const read = (values: Record<string, unknown>) => readSettings((name) => values[name], AROUND);

describe('settings', () => {
  it('default to the user’s own daemon, a heartbeat of 10 s and cues', () => {
    expect(read({})).toMatchObject({
      socket: '/home/u/.local/share/omni-dev/daemon.sock',
      socketIsCustom: false,
      heartbeatMs: 10_000,
      showCues: true,
      binary: undefined,
    });
  });

  it('name another socket, with ~ for the home directory', () => {
    expect(read({ socketPath: ' ~/d.sock ' })).toMatchObject({
      socket: '/home/u/d.sock',
      socketIsCustom: true,
    });
  });

  it('keep the heartbeat below the life of a window report, and above a flood', () => {
    expect(read({ heartbeatSeconds: 3_600 }).heartbeatMs).toBe(25_000);
    expect(read({ heartbeatSeconds: 0.01 }).heartbeatMs).toBe(1_000);
  });

  it('count as not set where they are of another type', () => {
    const settings = read({
      socketPath: 7,
      heartbeatSeconds: 'often',
      showClaudeSessions: 'maybe',
      binaryPath: {},
    });
    expect(settings).toEqual(read({}));
    expect(read({ heartbeatSeconds: Number.NaN }).heartbeatMs).toBe(10_000);
  });
});

describe('the status bar', () => {
  const nothing = { working: 0, waiting: 0, idle: 0 };

  it('shows the counts of the machine and stands out while somebody waits', () => {
    expect(statusText('live', { working: 2, waiting: 1, idle: 0 }, 'Agents')).toEqual({
      text: '$(hubot) !1 ⚙2',
      tooltip: 'Agents: 1 waiting on you, 2 working',
      attention: true,
      unreachable: false,
    });
  });

  it('says that nothing runs, that it polls, that it asks, that nobody answers', () => {
    expect(statusText('live', nothing, 'Claude')).toMatchObject({
      text: '$(hubot) 0',
      tooltip: 'No active agent sessions.',
    });
    expect(statusText('polling', nothing, 'Claude').tooltip).toContain('cannot stream');
    expect(statusText('connecting', nothing, 'Claude').text).toBe('$(hubot) …');
    expect(statusText('unreachable', nothing, 'Claude')).toMatchObject({
      unreachable: true,
      attention: false,
    });
  });
});

describe('the output channel', () => {
  it('tells a trouble once, another one anew, and the end of it', () => {
    const log = new MemoryLog();
    const diagnostics = new Diagnostics(log);
    diagnostics.good('report');
    diagnostics.bad('report', 'one');
    diagnostics.bad('report', 'one');
    diagnostics.bad('report', 'two');
    diagnostics.good('report');
    expect(log.lines).toEqual([
      { level: 'warn', line: 'one' },
      { level: 'debug', line: 'one' },
      { level: 'warn', line: 'two' },
      { level: 'info', line: 'report_recovered' },
    ]);
  });

  it('keeps its lines short and free of control characters', () => {
    const log = new MemoryLog();
    new Diagnostics(log).bad('x', `\u001b]0;title\u0007${'long '.repeat(200)}`);
    expect(log.text()).not.toMatch(/[\u0000-\u001f]/);
    expect(log.text().length).toBeLessThan(400);
  });
});
