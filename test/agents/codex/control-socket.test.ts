import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveControlSocket } from '../../../agents/codex/control-socket.ts';

const uid = process.getuid?.() ?? 0;

describe("an app-server's socket path", () => {
  let dir: string;
  let server: net.Server;
  let socket: string;

  beforeEach(async () => {
    dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'control-')));
    mkdirSync(path.join(dir, 'daemon'), { mode: 0o700 });
    socket = path.join(dir, 'daemon', 's');
    server = net.createServer();
    await new Promise<void>((done) => server.listen(socket, done));
  });
  afterEach(async () => {
    await new Promise((done) => server.close(done));
    rmSync(dir, { recursive: true, force: true });
  });

  it('leads through the link to the socket itself', () => {
    symlinkSync(socket, path.join(dir, 'link'));
    expect(resolveControlSocket(path.join(dir, 'link'), uid)).toEqual({ kind: 'socket', path: socket });
  });

  it('may be the socket itself', () => {
    expect(resolveControlSocket(socket, uid)).toEqual({ kind: 'socket', path: socket });
  });

  it('leads nowhere when the server was killed', () => {
    symlinkSync(path.join(dir, 'daemon', 'gone'), path.join(dir, 'link'));
    expect(resolveControlSocket(path.join(dir, 'link'), uid)).toEqual({ kind: 'absent' });
    expect(resolveControlSocket(path.join(dir, 'none'), uid)).toEqual({ kind: 'absent' });
    expect(resolveControlSocket(path.join(socket, 'below'), uid)).toEqual({ kind: 'absent' });
  });

  it('is refused when it is a plain file', () => {
    writeFileSync(path.join(dir, 'file'), '');
    expect(resolveControlSocket(path.join(dir, 'file'), uid)).toMatchObject({ kind: 'unsafe' });
  });

  it('is refused when it belongs to somebody else', () => {
    expect(resolveControlSocket(socket, uid + 1)).toMatchObject({ kind: 'unsafe' });
  });

  it('is refused when others can write its directory', () => {
    chmodSync(path.join(dir, 'daemon'), 0o777);
    expect(resolveControlSocket(socket, uid)).toMatchObject({ kind: 'unsafe' });
  });

  it('is refused when the links go in a circle', () => {
    symlinkSync(path.join(dir, 'b'), path.join(dir, 'a'));
    symlinkSync(path.join(dir, 'a'), path.join(dir, 'b'));
    expect(resolveControlSocket(path.join(dir, 'a'), uid)).toMatchObject({ kind: 'unsafe' });
  });
});
