import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolvePaths } from '../../../contract/paths.ts';
import { readDaemonRecords } from '../../../daemon-lite/service/discovery.ts';
import { probe } from '../../../daemon-lite/service/socket-claim.ts';
import { DaemonProcess } from '../../daemon-lite/support/daemon-process.ts';
import { ask, LineClient } from '../../daemon-lite/support/line-client.ts';
import { ThrowAwayHome } from '../../daemon-lite/support/throw-away.ts';
import { until } from '../../support/until.ts';

let home: ThrowAwayHome;
let daemons: DaemonProcess[];
beforeEach(() => {
  home = new ThrowAwayHome();
  daemons = [];
});
afterEach(async () => {
  for (const daemon of daemons) await daemon.remove();
  home.remove();
});

function start(env: Record<string, string> = {}, socket?: string): DaemonProcess {
  const daemon = new DaemonProcess({
    env: home.env(env),
    ...(socket === undefined ? {} : { socket }),
  });
  daemons.push(daemon);
  return daemon;
}

async function serving(env: Record<string, string> = {}, socket?: string): Promise<DaemonProcess> {
  const daemon = start(env, socket);
  const where = socket ?? resolvePaths({ ...home.around(env) }).socket;
  expect(await daemon.settled(where), daemon.stderr).toBe('serving');
  return daemon;
}

async function servedBy(socket: string): Promise<number> {
  const { payload } = await ask(socket, { op: 'ping' });
  return (payload as { pid: number }).pid;
}

describe('E1: a socket path that is too long', () => {
  it('moves only the socket to a short private directory, the same for every program', async () => {
    const long = home.path('h'.repeat(90));
    mkdirSync(long);
    const around = { ...home.around(), home: long };
    const { socket, socketIsFallback, runtimeDir } = resolvePaths(around);
    expect(socketIsFallback).toBe(true);
    const daemon = start({ HOME: long });
    try {
      expect(await daemon.settled(socket), daemon.stderr).toBe('serving');
      expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
      expect(existsSync(path.join(runtimeDir, 'daemon.sock'))).toBe(false);
      daemon.child.kill('SIGTERM');
      expect(await daemon.exited).toBe(0);
      expect(existsSync(socket)).toBe(false);
    } finally {
      await daemon.remove();
      removeIfEmpty(path.dirname(socket));
    }
  });

  it('is refused with path, length, limit and the fix when it was chosen by hand', async () => {
    const socket = home.path('s'.repeat(100));
    const daemon = start({}, socket);
    expect(await daemon.exited).toBe(1);
    expect(daemon.stderr).toContain(`socket path is ${Buffer.byteLength(socket)} bytes`);
    expect(daemon.stderr).toContain('104-byte limit');
    expect(daemon.stderr).toContain(socket);
    expect(daemon.stderr).toContain('pass a shorter --socket path');
  });
});

/** The fallback directory is shared with every other daemon of this user. */
function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // In use.
  }
}

describe('E2: two daemons at once', () => {
  it('end with exactly one that serves, twenty times out of twenty', { timeout: 240_000 }, async () => {
    for (let round = 0; round < 20; round++) {
      const socket = home.path(`round-${round}`, 'd.sock');
      const pair = [start({}, socket), start({}, socket)];
      const outcomes = await Promise.all(pair.map((daemon) => daemon.settled(socket)));
      expect(outcomes.toSorted()).toEqual(['failed', 'serving']);
      const winner = pair.find((daemon) => daemon.exitCode === undefined);
      const loser = pair.find((daemon) => daemon.exitCode !== undefined);
      expect(loser?.stderr).toContain(`a daemon is already running (socket ${socket})`);
      expect(await servedBy(socket)).toBe(winner?.pid);
      winner?.child.kill('SIGTERM');
      expect(await winner?.exited).toBe(0);
      expect(existsSync(socket)).toBe(false);
    }
  });

  it('leave the socket with the first when the second is started under it', async () => {
    const first = await serving();
    const { socket } = resolvePaths(home.around());
    const inode = statSync(socket).ino;
    const second = start();
    expect(await second.exited).toBe(1);
    expect(second.stderr).toContain('already running');
    expect(statSync(socket).ino).toBe(inode);
    expect(await servedBy(socket)).toBe(first.pid);
  });
});

describe('E3: a daemon that is busy', () => {
  it('for five seconds keeps its socket, and answers what waited when it is back', async () => {
    const first = await serving();
    const { socket } = resolvePaths(home.around());
    first.child.kill('SIGSTOP');
    const client = await LineClient.connect(socket);
    client.send('{"op":"ping"}');
    const stoppedAt = Date.now();
    while (Date.now() - stoppedAt < 5_000) {
      const second = start();
      expect(await second.exited).toBe(1);
      expect(second.stderr).toContain('already running');
    }
    expect(client.pendingLines()).toEqual([]);
    first.child.kill('SIGCONT');
    expect((await client.reply()).ok).toBe(true);
    expect(await servedBy(socket)).toBe(first.pid);
    client.hangUp();
  });
});

describe('E4: different environments', () => {
  it('lead to one socket whatever optional variables say', async () => {
    const first = await serving({ XDG_RUNTIME_DIR: home.path('xdg'), TMPDIR: home.path('tmp') });
    const { socket } = resolvePaths(home.around());
    expect(await servedBy(socket)).toBe(first.pid);
    const second = start({ XDG_STATE_HOME: home.path('state') });
    expect(await second.exited).toBe(1);
    expect(second.stderr).toContain('already running');
  });

  it('that do move it leave a record of each daemon in the home folder', async () => {
    const one = await serving();
    const other = await serving({ XDG_DATA_HOME: home.path('data') });
    const pids = () =>
      readDaemonRecords(home.dir)
        .map(({ pid }) => pid)
        .sort();
    expect(pids()).toEqual([one.pid, other.pid].sort());
    other.child.kill('SIGTERM');
    await other.exited;
    expect(pids()).toEqual([one.pid]);
  });
});

describe('what another daemon left', () => {
  it('when it was killed is taken over', async () => {
    const first = await serving();
    const { socket } = resolvePaths(home.around());
    first.child.kill('SIGKILL');
    await first.exited;
    expect(await probe(socket)).toBe('dead');
    const second = await serving();
    expect(await servedBy(socket)).toBe(second.pid);
    expect(readDaemonRecords(home.dir).map(({ pid }) => pid)).toEqual([second.pid]);
  });

  it('under a pid that a stranger has now stops nothing and hurts nobody', async () => {
    const records = home.path('.omni-dev', 'daemons');
    mkdirSync(records, { recursive: true });
    const stranger = {
      pid: process.pid,
      socket: '/nowhere',
      version: '0',
      started_at: '2026-10-03T00:00:00Z',
    };
    writeFileSync(path.join(records, `${process.pid}.json`), JSON.stringify(stranger));
    await serving();
    expect(readDaemonRecords(home.dir)).toHaveLength(2);
  });
});

describe('the socket of a running daemon', () => {
  it('is bound again when a cleaner took it', async () => {
    const daemon = await serving();
    const { socket } = resolvePaths(home.around());
    execFileSync('rm', [socket]);
    await until(() => existsSync(socket));
    expect(await servedBy(socket)).toBe(daemon.pid);
  });

  it('is not removed at the end when it is somebody else’s by then', async () => {
    const daemon = await serving();
    const { socket } = resolvePaths(home.around());
    execFileSync('rm', [socket]);
    writeFileSync(socket, 'not ours');
    daemon.child.kill('SIGTERM');
    expect(await daemon.exited).toBe(0);
    expect(existsSync(socket)).toBe(true);
  });
});
