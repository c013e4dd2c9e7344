import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAEMON_PROGRAM, DaemonProcess } from '../../daemon-lite/support/daemon-process.ts';
import { ask } from '../../daemon-lite/support/line-client.ts';
import { ThrowAwayHome } from '../../daemon-lite/support/throw-away.ts';
import { until } from '../../support/until.ts';

/** Another user of the machine, whom only root can become. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let home: ThrowAwayHome;
beforeEach(() => {
  home = new ThrowAwayHome();
});
afterEach(() => home.remove());

describe('another user', () => {
  /** What `connect` says to a process of another user; the modes alone say it where we cannot become one. */
  function connectAsNobody(socket: string): string {
    const script = `require('net').connect(${JSON.stringify(socket)})
      .on('error', (error) => console.log(error.code)).on('connect', () => console.log('connected') || process.exit())`;
    return execFileSync(process.execPath, ['-e', script], { uid: NOBODY, gid: NOBODY, cwd: '/' })
      .toString()
      .trim();
  }

  it.each([
    ['in the private directory', 0o700],
    ['in a directory that everybody may enter', 0o755],
  ])('cannot connect to the socket %s', async (_what, mode) => {
    mkdirSync(home.path('run'));
    chmodSync(home.dir, 0o755);
    chmodSync(home.path('run'), mode);
    const socket = home.path('run', 'd.sock');
    const daemon = new DaemonProcess({ env: home.env(), socket });
    try {
      expect(await daemon.settled(socket), daemon.stderr).toBe('serving');
      expect(statSync(socket).mode & 0o777).toBe(0o600);
      if (isRoot) expect(connectAsNobody(socket)).toBe('EACCES');
      expect((await ask(socket, { op: 'ping' })).ok).toBe(true);
    } finally {
      await daemon.remove();
    }
  });
});

describe('a directory that cannot be written', () => {
  it('stops the start with the reason, and nothing is left', async () => {
    mkdirSync(home.path('run'));
    if (isRoot) execFileSync('chown', [`${NOBODY}:${NOBODY}`, home.path('run')]);
    chmodSync(home.dir, 0o755);
    chmodSync(home.path('run'), 0o500);
    const socket = home.path('run', 'd.sock');
    const daemon = new DaemonProcess({ env: home.env(), socket, ...(isRoot ? { uid: NOBODY } : {}) });
    expect(await daemon.exited).toBe(1);
    expect(daemon.stderr).toContain(`cannot listen on socket ${socket}: EACCES`);
    chmodSync(home.path('run'), 0o700);
    expect(existsSync(socket)).toBe(false);
  });
});

describe('a full disk under the log', () => {
  it('costs the log and nothing else', async () => {
    if (!existsSync('/dev/full')) return expect(process.platform).not.toBe('linux');
    const socket = home.path('run', 'd.sock');
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [DAEMON_PROGRAM, 'run', '--socket', socket], {
      env: home.env({ OMNI_DEV_LOG: 'trace' }),
      stdio: ['ignore', full, full],
    });
    closeSync(full);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    try {
      await until(() => existsSync(socket));
      for (let count = 0; count < 20; count++) {
        const payload = { session_id: `s${count}`, event: 'stop' };
        expect((await ask(socket, { service: 'sessions', op: 'observe', payload })).ok).toBe(true);
      }
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
  });
});
