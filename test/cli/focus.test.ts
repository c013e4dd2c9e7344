import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paneOf, parsePanes, parseProcesses } from '../../cli/focus/terminal-lines.ts';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { runCommand } from './support/run-cli.ts';

const PS = `    1     0 ?
  100     1 pts/0
  200   100 pts/5
  300   200 pts/9
  400     1 ttys003
 junk
`;

describe('which tmux pane a process runs in', () => {
  const processes = parseProcesses(PS);
  const panes = parsePanes('/dev/pts/0 %1\n/dev/pts/5 %22\nnonsense\n/dev/ttys003 %3\n');

  it('is told by its terminal, or that of an ancestor', () => {
    expect(paneOf(200, processes, panes)?.id).toBe('%22');
    expect(paneOf(300, processes, panes)?.id).toBe('%22');
    expect(paneOf(400, processes, panes)?.id).toBe('%3');
  });

  it('is none for a process without a terminal, an unknown one, or a table in circles', () => {
    expect(paneOf(1, processes, panes)).toBeUndefined();
    expect(paneOf(999, processes, panes)).toBeUndefined();
    const circle = new Map([
      [5, { parent: 6, tty: undefined }],
      [6, { parent: 5, tty: undefined }],
    ]);
    expect(paneOf(5, circle, panes)).toBeUndefined();
  });
});

describe('sessions focus', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
    mkdirSync(path.join(dir, 'bin'));
    mkdirSync(path.join(dir, 'folder'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /** A tool that writes down how it was called. */
  function tool(name: string, output = ''): void {
    const text = `#!/bin/sh\necho "${name} $*" >> '${dir}/calls'\nprintf '%s' '${output}'\n`;
    writeFileSync(path.join(dir, 'bin', name), text, { mode: 0o700 });
  }

  async function focus(folder: string | null, pid?: number) {
    const why = { session_id: 'abc', state: 'idle', readings: [], ...(pid === undefined ? {} : { pid }) };
    const daemon = await new FakeDaemon(({ op }) => ({
      ok: true,
      payload: op === 'why' ? why : { folder },
    })).listen();
    const env = { PATH: `${dir}/bin:/bin:/usr/bin`, OMNI_DEV_VSCODE_BIN: path.join(dir, 'bin/editor') };
    const result = await runCommand(['sessions', 'focus', 'ab', '--socket', daemon.socket], { env });
    await daemon.close();
    return { ...result, requests: daemon.requests };
  }
  const calls = () => readFileSync(path.join(dir, 'calls'), 'utf8').trimEnd().split('\n');

  it('opens the folder of the session’s window in the editor', async () => {
    tool('editor');
    const folder = path.join(dir, 'folder');
    const { stdout, requests } = await focus(folder);
    expect(stdout).toContain(`opened ${folder}`);
    expect(calls()).toEqual([`editor ${folder}`]);
    expect(requests.at(-1)).toEqual({
      service: 'sessions',
      op: 'focus-folder',
      payload: { session_id: 'abc' },
    });
  });

  it('selects the tmux pane of the session’s process', async () => {
    tool('tmux', '/dev/pts/5 %22');
    tool('ps', ' 300 200 pts/9\n 200 1 pts/5\n');
    expect((await focus(null, 300)).stdout).toBe('selected tmux pane %22\n');
    expect(calls().slice(2)).toEqual(['tmux select-window -t %22', 'tmux select-pane -t %22']);
  });

  it('never gives the editor what is no folder', async () => {
    tool('editor');
    tool('tmux');
    const result = await focus('--install-extension=evil');
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('runs in no editor window');
    expect(() => calls()).toThrow();
  });

  it('says so when no editor command works', async () => {
    const result = await focus(path.join(dir, 'folder'));
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('OMNI_DEV_VSCODE_BIN') });
  });
});
