import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeRequest, sendUnanswered } from '../../contract/client.ts';
import { type Request, sessionsRequest } from '../../contract/messages.ts';

/** Long enough for a busy machine; only what is never taken waits for it. */
const PATIENCE_MS = 20_000;
const WAIT = { timeout: PATIENCE_MS };
/** More than the kernel takes of a request that nobody reads. */
const HUGE = 8 * 1024 * 1024;

let root: string;
let socket: string;
let server: net.Server | undefined;
const connections: net.Socket[] = [];

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'unanswered-'));
  socket = path.join(root, 's');
});

afterEach(() => {
  for (const connection of connections.splice(0)) connection.destroy();
  server?.close();
  rmSync(root, { recursive: true, force: true });
});

/** A server that meets connections as told and reads nothing by itself. */
function meet(greet: (connection: net.Socket) => void): Promise<void> {
  const listening = net.createServer({ pauseOnConnect: true }, (connection) => {
    connections.push(connection);
    connection.on('error', () => {});
    greet(connection);
  });
  server = listening;
  return new Promise((resolve) => listening.listen(socket, resolve));
}

function request(length = 1): Request {
  return sessionsRequest('observe', { session_id: 's', event: 'stop', cwd: 'x'.repeat(length) });
}

describe('a request whose reply nobody waits for', () => {
  it('is taken before it is read, and read when its sender is gone', async () => {
    await meet(() => {});
    await sendUnanswered(socket, request(), PATIENCE_MS);
    const [connection] = await vi.waitFor(() => {
      expect(connections).toHaveLength(1);
      return connections;
    }, WAIT);
    let read = '';
    connection?.on('data', (chunk) => {
      read += chunk.toString();
    });
    connection?.resume();
    await vi.waitFor(() => expect(read).toBe(encodeRequest(request())), WAIT);
  });

  it('fails where nobody listens', async () => {
    await expect(sendUnanswered(socket, request(), PATIENCE_MS)).rejects.toThrow('ENOENT');
  });

  it('fails where it is not taken in time', async () => {
    await meet(() => {});
    await expect(sendUnanswered(socket, request(HUGE), 100)).rejects.toThrow('not taken within 100 ms');
  });

  it('fails where the connection is closed on it', async () => {
    await meet((connection) => connection.destroy());
    await expect(sendUnanswered(socket, request(HUGE), PATIENCE_MS)).rejects.toThrow(/EPIPE|ECONNRESET/);
  });
});
