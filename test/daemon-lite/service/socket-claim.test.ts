import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../daemon-lite/diagnostics/log.ts';
import { abstractLockName, realSocketPath } from '../../../daemon-lite/service/instance-lock.ts';
import { probe, SocketClaim } from '../../../daemon-lite/service/socket-claim.ts';
import { ThrowAwayHome } from '../support/throw-away.ts';

let home: ThrowAwayHome;
let socket: string;
let claims: SocketClaim[];
beforeEach(() => {
  home = new ThrowAwayHome();
  mkdirSync(home.path('run'), { mode: 0o700 });
  socket = home.path('run', 'daemon.sock');
  claims = [];
});
afterEach(() => {
  for (const claim of claims) claim.release();
  home.remove();
});

async function claim(path = socket): Promise<SocketClaim> {
  const taken = await SocketClaim.acquire({
    socket: path,
    uid: process.getuid?.() ?? 0,
    log: silentLog().target(''),
    onConnection: (connection) => connection.destroy(),
    handoverMs: 300,
  });
  claims.push(taken);
  return taken;
}

/** Leaves a socket at the path that nobody listens on any more, as a killed daemon does. */
async function leaveDeadSocket(): Promise<void> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(home.path('run', 'x'), resolve));
  renameSync(home.path('run', 'x'), socket);
  await new Promise((resolve) => server.close(resolve));
}

function listen(path: string): Promise<net.Server> {
  const server = net.createServer((connection) => connection.destroy());
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

function close(server: net.Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

describe('the socket', () => {
  it('is owner-only and served, and the only file in its directory', async () => {
    await claim();
    expect(statSync(socket).mode & 0o7777).toBe(0o600);
    expect(await probe(socket)).toBe('alive');
    expect(readdirSync(home.path('run'))).toEqual(['daemon.sock']);
  });

  it('leaves the file mode mask of the process as it was', async () => {
    const before = process.umask();
    await claim();
    expect(process.umask()).toBe(before);
  });

  it('is removed when it is given up, and free for the next', async () => {
    (await claim()).release();
    claims = [];
    expect(existsSync(socket)).toBe(false);
    await claim();
    expect(await probe(socket)).toBe('alive');
  });

  it('replaces one whose daemon is dead', async () => {
    await leaveDeadSocket();
    expect(await probe(socket)).toBe('dead');
    await claim();
    expect(await probe(socket)).toBe('alive');
  });

  it('moves a file that is no socket aside and keeps its content', async () => {
    writeFileSync(socket, 'precious');
    await claim();
    const aside = readdirSync(home.path('run')).find((name) => name.startsWith('daemon.sock.aside-'));
    expect(readFileSync(home.path('run', aside ?? ''), 'utf8')).toBe('precious');
    expect(await probe(socket)).toBe('alive');
  });

  it('may have a name of one character and fill the path limit', async () => {
    const long = home.path('run', 'd'.repeat(100 - home.path('run').length));
    mkdirSync(long);
    await claim(`${long}/s`);
    expect(Buffer.byteLength(`${long}/s`)).toBe(103);
    expect(await probe(`${long}/s`)).toBe('alive');
  });

  it('is refused with length, limit and path when its path is too long', async () => {
    const long = home.path('run', 'x'.repeat(120));
    await expect(claim(long)).rejects.toThrow(
      `socket path is ${Buffer.byteLength(long)} bytes, exceeding the 104-byte limit: ${long}`,
    );
  });

  it('that somebody else removed is noticed and bound again', async () => {
    const own = await claim();
    expect(own.standing()).toBe('ours');
    unlinkSync(socket);
    expect(own.standing()).toBe('lost');
    await own.rebind();
    expect(own.standing()).toBe('ours');
    expect(await probe(socket)).toBe('alive');
  });

  it('that somebody else replaced is not removed at the end', async () => {
    const own = await claim();
    unlinkSync(socket);
    const other = await listen(socket);
    expect(own.standing()).toBe('foreign');
    own.release();
    claims = [];
    expect(await probe(socket)).toBe('alive');
    await close(other);
  });
});

describe('a second daemon', () => {
  const refusal = /a daemon is already running \(socket .*daemon\.sock\); use/;

  it('is refused while the first one lives', async () => {
    await claim();
    await expect(claim()).rejects.toThrow(refusal);
    expect(await probe(socket)).toBe('alive');
  });

  it('is refused by another spelling of the path too', async () => {
    await claim();
    await expect(claim(home.path('run', '..', 'run', 'daemon.sock'))).rejects.toThrow(refusal);
  });

  it('is refused while a daemon without our lock serves the path, an older system’s', async () => {
    const other = await listen(socket);
    await expect(claim()).rejects.toThrow(refusal);
    await close(other);
  });

  it('waits for one that is just stopping', async () => {
    const first = await claim();
    unlinkSync(socket);
    const second = claim();
    setTimeout(() => first.release(), 100);
    await second;
    expect(await probe(socket)).toBe('alive');
  });

  it('gives up on a lock whose owner neither serves nor goes', async () => {
    await claim();
    unlinkSync(socket);
    await expect(claim()).rejects.toThrow(/holds the lock of socket .* without serving it/);
  });
});

describe('the lock', () => {
  it('is named by user and real path, short enough for any kernel', () => {
    const name = abstractLockName(realSocketPath(socket), 1000);
    expect(name).toMatch(/^\0omni-dev-daemon-1000-[0-9a-f]{32}$/);
    expect(abstractLockName('/other', 1000)).not.toBe(name);
    expect(abstractLockName(realSocketPath(socket), 1001)).not.toBe(name);
  });
});
