import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { lineTransport, openWebSocket } from '../../../agents/codex/transport.ts';

describe('the WebSocket transport', () => {
  let dir: string;
  let socket: string;
  let http: Server;
  let server: WebSocketServer;

  beforeEach(async () => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'ws-'));
    socket = path.join(dir, 's');
    http = createServer();
    server = new WebSocketServer({ server: http });
    await new Promise<void>((done) => http.listen(socket, done));
  });
  afterEach(async () => {
    for (const client of server.clients) client.terminate();
    server.close();
    await new Promise((done) => http.close(done));
    rmSync(dir, { recursive: true, force: true });
  });

  it('carries texts both ways, those included that come before anybody listens', async () => {
    server.on('connection', (peer, request) => {
      expect(request.headers['sec-websocket-extensions']).toBeUndefined();
      peer.send('early');
      peer.on('message', (data) => peer.send(`echo ${data}`));
    });
    const transport = await openWebSocket(socket);
    await new Promise((done) => setTimeout(done, 50));
    const texts: string[] = [];
    const whole = new Promise<void>((done) => {
      transport.listen(
        (text) => {
          texts.push(text);
          if (texts.length === 2) done();
        },
        () => {},
      );
    });
    transport.send('{"é":1}');
    await whole;
    expect(texts).toEqual(['early', 'echo {"é":1}']);
    transport.close();
  });

  it('tells that the server hung up', async () => {
    const transport = await openWebSocket(socket);
    const closed = new Promise<void>((done) => transport.listen(() => {}, done));
    for (const client of server.clients) client.terminate();
    await closed;
    transport.send('into the void');
  });

  it('tells it too when that happened before anybody listened', async () => {
    const transport = await openWebSocket(socket);
    for (const client of server.clients) client.terminate();
    await new Promise((done) => setTimeout(done, 50));
    await new Promise<void>((done) => transport.listen(() => {}, done));
  });

  it('fails where nobody listens', async () => {
    await expect(openWebSocket(path.join(dir, 'none'))).rejects.toThrow('ENOENT');
  });

  it('fails where somebody listens and does not upgrade', async () => {
    http.removeAllListeners('upgrade');
    const held: Duplex[] = [];
    http.on('upgrade', (_, connection) => held.push(connection));
    await expect(openWebSocket(socket, 100)).rejects.toThrow();
    for (const connection of held) connection.destroy();
  });
});

describe('the line transport', () => {
  it('carries one text per line both ways and skips what is not UTF-8', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = lineTransport(input, output);
    const texts: string[] = [];
    const closed = new Promise<void>((done) => transport.listen((text) => texts.push(text), done));
    transport.send('{"a":1}');
    input.write(Buffer.from('{"t":"€"}\n').subarray(0, 7));
    input.write(Buffer.from('{"t":"€"}\n').subarray(7));
    input.write(Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from('last')]));
    await new Promise((done) => setImmediate(done));
    input.destroy();
    await closed;
    expect(texts).toEqual(['{"t":"€"}', 'last']);
    expect(String(output.read())).toBe('{"a":1}\n');
  });
});
