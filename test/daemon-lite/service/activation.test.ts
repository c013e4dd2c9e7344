import { closeSync, existsSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Paths, resolvePaths } from '../../../contract/paths.ts';
import { readActivation } from '../../../daemon-lite/service/activation.ts';
import { boundPath, pathOfInode } from '../../../daemon-lite/service/socket-name.ts';
import { until } from '../../support/until.ts';
import { DaemonProcess } from '../support/daemon-process.ts';
import { ask, LineClient } from '../support/line-client.ts';
import { SocketHolder } from '../support/socket-holder.ts';
import { ThrowAwayHome } from '../support/throw-away.ts';

describe('the variables of socket activation', () => {
  it.each([
    ['are for us', { LISTEN_PID: '7', LISTEN_FDS: '1' }, { descriptor: 3 }],
    ['hand over several sockets: the first', { LISTEN_PID: '7', LISTEN_FDS: '2' }, { descriptor: 3 }],
    ['are for another process', { LISTEN_PID: '8', LISTEN_FDS: '1' }, { meantFor: '8' }],
    ['hand over nothing', { LISTEN_PID: '7', LISTEN_FDS: '0' }, {}],
    ['are not numbers', { LISTEN_PID: '7', LISTEN_FDS: '1x' }, {}],
    ['are half there', { LISTEN_FDS: '1' }, {}],
    ['are not there', {}, {}],
  ])('%s', (_what, env, expected) => expect(readActivation(env, 7, 'linux')).toEqual(expected));

  it('mean nothing where systemd is not', () => {
    expect(readActivation({ LISTEN_PID: '7', LISTEN_FDS: '1' }, 7, 'darwin')).toEqual({});
  });
});

describe('the path of a socket', () => {
  const table = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '00000000: 00000002 00000000 00010000 0001 01    11 /run/a b/d.sock',
    '00000000: 00000003 00000000 00000000 0001 03    12',
    '',
  ].join('\n');

  it('is found by its inode, blanks and all', () => {
    expect(pathOfInode(table, '11')).toBe('/run/a b/d.sock');
    expect(pathOfInode(table, '12')).toBeUndefined();
    expect(pathOfInode(table, '1')).toBeUndefined();
  });

  it('is none for a file', () => {
    const descriptor = openSync('/dev/null', 'r');
    expect(boundPath(descriptor)).toBeUndefined();
    closeSync(descriptor);
  });
});

describe.runIf(process.platform === 'linux')('a daemon on a socket that was handed over', () => {
  let home: ThrowAwayHome;
  let paths: Paths;
  let holder: SocketHolder | undefined;
  let others: DaemonProcess[];
  const eventually = (condition: () => boolean | Promise<boolean>) =>
    until(condition, () => holder?.stderr ?? '', 60_000);

  beforeEach(() => {
    home = new ThrowAwayHome();
    paths = resolvePaths(home.around());
    mkdirSync(paths.runtimeDir, { recursive: true, mode: 0o700 });
    holder = undefined;
    others = [];
  });
  afterEach(async () => {
    for (const other of others) await other.remove();
    await holder?.close();
    home.remove();
  });

  async function hold(args: string[] = [], socket = paths.socket): Promise<SocketHolder> {
    holder = await SocketHolder.bind({ socket, env: home.env(), args });
    return holder;
  }

  /** Pid of the daemon that serves the socket; the connection itself is taken by whoever comes. */
  async function servedBy(): Promise<number> {
    const client = await LineClient.connect(paths.socket);
    try {
      client.send('{"op":"ping"}');
      return ((await client.reply(60_000)).payload as { pid: number }).pid;
    } finally {
      client.hangUp();
    }
  }

  it('serves it, and leaves it to the next one: a client that comes in between is answered', async () => {
    const own = await hold();
    const { ino } = lstatSync(paths.socket);
    own.start();
    const first = await servedBy();
    process.kill(first, 'SIGTERM');
    expect(await own.ended()).toBe(0);
    expect(lstatSync(paths.socket).ino).toBe(ino);
    const waiting = servedBy();
    own.start();
    const second = await waiting;
    expect(second).not.toBe(first);
    await ask(paths.socket, { op: 'shutdown' });
    expect(await own.ended()).toBe(0);
    expect(lstatSync(paths.socket).ino).toBe(ino);
  });

  it('makes it owner-only', async () => {
    const own = await hold();
    own.start();
    await servedBy();
    expect(lstatSync(paths.socket).mode & 0o777).toBe(0o600);
    expect(own.stderr).toContain('socket_was_open_to_others');
    await ask(paths.socket, { op: 'shutdown' });
    await own.ended();
  });

  it('is the only one: another that is started by hand is refused', async () => {
    const own = await hold();
    own.start();
    const pid = await servedBy();
    const other = new DaemonProcess({ env: home.env() });
    others.push(other);
    expect(await other.exited).toBe(1);
    expect(other.stderr).toContain('a daemon is already running');
    expect(await servedBy()).toBe(pid);
    await ask(paths.socket, { op: 'shutdown' });
    await own.ended();
  });

  it('waits for one whose path the manager took, until that one has noticed', async () => {
    const alone = new DaemonProcess({ env: home.env() });
    others.push(alone);
    expect(await alone.settled(paths.socket)).toBe('serving');
    rmSync(paths.socket);
    const own = await hold();
    own.start();
    expect(await servedBy()).not.toBe(alone.pid);
    expect(await alone.exited).toBe(0);
    await ask(paths.socket, { op: 'shutdown' });
    await own.ended();
  });

  it('binds the path anew when a cleaner took it, and removes what it bound', async () => {
    const own = await hold();
    own.start();
    const pid = await servedBy();
    rmSync(paths.socket);
    await eventually(() => existsSync(paths.socket));
    expect(await servedBy()).toBe(pid);
    await ask(paths.socket, { op: 'shutdown' });
    expect(await own.ended()).toBe(0);
    expect(existsSync(paths.socket)).toBe(false);
  });

  it('refuses the socket of another path, and names both', async () => {
    const elsewhere = home.path('elsewhere.sock');
    const own = await hold([], elsewhere);
    own.start();
    expect(await own.ended()).toBe(1);
    expect(own.stderr).toContain(
      `the service manager handed over the socket ${elsewhere}, but this daemon serves ${paths.socket}`,
    );
    expect(existsSync(elsewhere)).toBe(true);
  });

  it('refuses what is no socket', async () => {
    const descriptor = openSync('/dev/null', 'r');
    holder = await SocketHolder.bind({ socket: paths.socket, env: home.env(), descriptor });
    closeSync(descriptor);
    rmSync(paths.socket);
    holder.start();
    expect(await holder.ended()).toBe(1);
    expect(holder.stderr).toContain('what the service manager handed over is no listening socket');
  });

  it('that was meant for another process binds its own', async () => {
    const own = await hold([], home.path('elsewhere.sock'));
    own.start('1');
    await eventually(() => existsSync(paths.socket));
    process.kill(await servedBy(), 'SIGTERM');
    expect(await own.ended()).toBe(0);
    expect(existsSync(paths.socket)).toBe(false);
    expect(own.stderr).toContain('handed_over_socket_not_ours meant_for=1');
  });
});
