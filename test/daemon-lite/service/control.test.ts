import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolvePaths } from '../../../contract/paths.ts';
import {
  type ControlOptions,
  restartDaemon,
  startDaemon,
  stopDaemon,
} from '../../../daemon-lite/service/control.ts';
import { daemonRecordsDir, readDaemonRecords } from '../../../daemon-lite/service/discovery.ts';
import type { DaemonKeeper } from '../../../daemon-lite/service/keeper.ts';
import { probe } from '../../../daemon-lite/service/socket-claim.ts';
import { daemonStatus } from '../../../daemon-lite/service/status.ts';
import { removeIfEmpty } from '../../support/remove-if-empty.ts';
import { until } from '../../support/until.ts';
import { DAEMON_PROGRAM } from '../support/daemon-process.ts';
import { ask } from '../support/line-client.ts';
import { ThrowAwayHome } from '../support/throw-away.ts';

let home: ThrowAwayHome;
let options: ControlOptions;
beforeEach(() => {
  home = new ThrowAwayHome();
  const around = home.around(home.env());
  options = { around, paths: resolvePaths(around), bundle: DAEMON_PROGRAM };
});
afterEach(async () => {
  await stopDaemon(options);
  await until(() => readDaemonRecords(home.dir).every(({ pid }) => isGone(pid)));
  home.remove();
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

async function runningPid(): Promise<number> {
  const { payload } = await ask(options.paths.socket, { op: 'ping' });
  return (payload as { pid: number }).pid;
}

describe('daemon start', () => {
  it('starts a daemon of its own session and answers when it is ready', async () => {
    const { socket, log } = options.paths;
    expect(await startDaemon(options)).toEqual({
      outcome: 'started',
      message: `daemon started (socket ${socket})`,
    });
    expect(await probe(socket)).toBe('alive');
    const pid = await runningPid();
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      expect(Number(stat[3])).toBe(pid);
    }
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(readFileSync(log, 'utf8')).toContain('daemon_started');
  });

  it('leaves one that runs alone', async () => {
    await startDaemon(options);
    const pid = await runningPid();
    expect(await startDaemon(options)).toEqual({
      outcome: 'already_running',
      message: `daemon already running (socket ${options.paths.socket})`,
    });
    expect(await runningPid()).toBe(pid);
  });

  it('tells the last lines of the log when the daemon does not come up', async () => {
    mkdirSync(options.paths.runtimeDir, { recursive: true, mode: 0o700 });
    writeFileSync(home.path('broken.cjs'), 'console.error("it broke"); process.exit(1);\n');
    await expect(startDaemon({ ...options, bundle: home.path('broken.cjs') })).rejects.toThrow(
      `daemon did not become ready within 5s (socket ${options.paths.socket})\nit broke`,
    );
  });

  it('moves only the socket where its default path is too long', async () => {
    const around = { ...options.around, home: home.path('h'.repeat(90)) };
    const paths = resolvePaths(around);
    const long = { ...options, around: { ...around, env: { ...around.env, HOME: around.home } }, paths };
    try {
      await startDaemon(long);
      expect(paths.socketIsFallback).toBe(true);
      await until(() => existsSync(paths.journalsDir), undefined, 60_000);
      expect(existsSync(path.join(path.dirname(paths.socket), 'sessions'))).toBe(false);
    } finally {
      await stopDaemon(long);
      await until(() => readDaemonRecords(around.home).length === 0, undefined, 60_000);
      removeIfEmpty(path.dirname(paths.socket));
    }
  });

  it('refuses a socket path that is too long, with the fix', async () => {
    const socket = `/tmp/${'x'.repeat(120)}`;
    const paths = resolvePaths(options.around, socket);
    await expect(startDaemon({ ...options, paths })).rejects.toThrow(/pass a shorter --socket path/);
  });
});

describe('daemon stop', () => {
  it('stops it, and says when there is none', async () => {
    await startDaemon(options);
    expect((await stopDaemon(options)).message).toBe('daemon stopping');
    await until(() => !existsSync(options.paths.socket));
    expect((await stopDaemon(options)).message).toBe('daemon not running');
  });
});

describe('daemon restart', () => {
  it('replaces the process', async () => {
    await startDaemon(options);
    const before = await runningPid();
    expect((await restartDaemon(options)).message).toBe(`daemon restarted (socket ${options.paths.socket})`);
    expect(await runningPid()).not.toBe(before);
  });

  it('starts one where none ran', async () => {
    await restartDaemon(options);
    expect(await daemonStatus(options.paths.socket)).toMatchObject({ running: true });
  });
});

describe('a running daemon', () => {
  it('is found by its record in the home folder, whatever moved its socket', async () => {
    const elsewhere = { ...options, paths: resolvePaths(options.around, home.path('other', 'd.sock')) };
    await startDaemon(options);
    await startDaemon(elsewhere);
    const records = readDaemonRecords(home.dir);
    expect(records.map(({ socket }) => socket).sort()).toEqual(
      [options.paths.socket, elsewhere.paths.socket].sort(),
    );
    expect(statSync(daemonRecordsDir(home.dir)).mode & 0o777).toBe(0o700);
    await stopDaemon(elsewhere);
    await until(() => readDaemonRecords(home.dir).length === 1);
  });

  it('is not found by records that are none', () => {
    mkdirSync(daemonRecordsDir(home.dir), { recursive: true });
    writeFileSync(`${daemonRecordsDir(home.dir)}/1.json`, '{"pid":"x"}');
    writeFileSync(`${daemonRecordsDir(home.dir)}/2.json`, 'junk');
    writeFileSync(`${daemonRecordsDir(home.dir)}/other`, '');
    expect(readDaemonRecords(home.dir)).toEqual([]);
  });
});

describe('a daemon that a service manager keeps', () => {
  /** A manager that keeps a daemon by starting it as `daemon start` does. */
  function keeperOf(standing: 'running' | 'armed' | 'off') {
    const told: string[] = [];
    const note = (word: string) => async () => void told.push(word);
    const keeper: DaemonKeeper = {
      name: 'systemd',
      inspect: 'look at it',
      standing: () => Promise.resolve(standing),
      start: async () => {
        told.push('start');
        await startDaemon(options);
      },
      stop: note('stop'),
      restart: note('restart'),
    };
    return { keeper, told };
  }

  it.each(['armed', 'off'] as const)('is started by it when it is %s', async (standing) => {
    const { keeper, told } = keeperOf(standing);
    expect((await startDaemon({ ...options, keeper })).outcome).toBe('started');
    expect(told).toEqual(['start']);
    await stopDaemon(options);
  });

  it('is left alone when it runs, and so is one that runs by itself', async () => {
    const kept = keeperOf('running');
    expect((await startDaemon({ ...options, keeper: kept.keeper })).outcome).toBe('already_running');
    const { keeper, told } = keeperOf('off');
    await startDaemon(options);
    expect((await startDaemon({ ...options, keeper })).outcome).toBe('already_running');
    expect([...kept.told, ...told]).toEqual([]);
  });

  it.each([
    ['running', 'stopping', ['stop']],
    ['armed', 'not_running', ['stop']],
    ['off', 'not_running', []],
  ] as const)('that is %s is stopped by it: %s', async (standing, outcome, orders) => {
    const { keeper, told } = keeperOf(standing);
    expect((await stopDaemon({ ...options, keeper })).outcome).toBe(outcome);
    expect(told).toEqual(orders);
  });

  it('goes over to it at a restart when it ran by itself', async () => {
    await startDaemon(options);
    const before = await runningPid();
    const { keeper, told } = keeperOf('off');
    await restartDaemon({ ...options, keeper });
    expect(told).toEqual(['start']);
    expect(await runningPid()).not.toBe(before);
  });

  it('names where to look when it does not come up', async () => {
    const { keeper } = keeperOf('armed');
    await expect(restartDaemon({ ...options, keeper })).rejects.toThrow('; see: look at it');
  });
});
