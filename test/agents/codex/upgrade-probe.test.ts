import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { upgradesConnections } from '../../../agents/codex/upgrade-probe.ts';

/** Long enough for a machine that is busy with other tests; only a server that says nothing takes all of it. */
const PATIENCE_MS = 20_000;

let root: string;
let socket: string;
const closers: (() => void)[] = [];

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'probe-'));
  socket = path.join(root, 's');
});

afterEach(() => {
  for (const close of closers.splice(0)) close();
  rmSync(root, { recursive: true, force: true });
});

/** A server that meets a connection as told. */
function meet(greet: (connection: net.Socket) => void): Promise<void> {
  const open = new Set<net.Socket>();
  const server = net.createServer((connection) => {
    open.add(connection);
    connection.on('error', () => {});
    greet(connection);
  });
  closers.push(() => {
    for (const connection of open) connection.destroy();
    server.close();
  });
  return new Promise((resolve) => server.listen(socket, resolve));
}

describe('the question whether a server upgrades connections', () => {
  it('is answered by a real WebSocket server, which hears no message', async () => {
    const http = createServer();
    const server = new WebSocketServer({ server: http });
    const heard: string[] = [];
    const hungUp = new Promise<void>((resolve) => {
      server.on('connection', (client) => {
        client.on('message', (data) => heard.push(String(data)));
        client.on('error', () => {});
        client.on('close', () => resolve());
      });
    });
    await new Promise<void>((resolve) => http.listen(socket, resolve));
    closers.push(() => http.close());
    expect(await upgradesConnections(socket, PATIENCE_MS)).toBe(true);
    await hungUp;
    expect(heard).toEqual([]);
  });

  it('is answered by an upgrade that comes byte by byte', async () => {
    await meet((connection) => {
      const send = (bytes: string): void => {
        if (bytes !== '') connection.write(bytes.slice(0, 1), () => setImmediate(send, bytes.slice(1)));
      };
      send('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    expect(await upgradesConnections(socket, PATIENCE_MS)).toBe(true);
  });

  it('is no where another answer comes', async () => {
    await meet((connection) => connection.write('HTTP/1.1 404 Not Found\r\n\r\n'));
    expect(await upgradesConnections(socket, PATIENCE_MS)).toBe(false);
  });

  it('is no where the connection is closed, or nobody listens', async () => {
    await meet((connection) => connection.destroy());
    expect(await upgradesConnections(socket, PATIENCE_MS)).toBe(false);
    expect(await upgradesConnections(path.join(root, 'nobody'), PATIENCE_MS)).toBe(false);
  });

  it('is no after a while where nothing comes', async () => {
    await meet(() => {});
    expect(await upgradesConnections(socket, 50)).toBe(false);
  });
});
