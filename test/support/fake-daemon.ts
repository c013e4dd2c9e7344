import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

type Reply = Record<string, unknown>;

/** What a fake daemon answers; undefined = nothing, the connection stays open. */
export type FakeAnswer = (request: Record<string, unknown>) => Reply | undefined;

/**
 * A small daemon for tests of clients: answers by a function, streams the snapshots it is given to every subscriber, and
 * records what it was asked.
 */
export class FakeDaemon {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-fake-'));
  readonly socket = path.join(this.dir, 'd.sock');
  readonly requests: Record<string, unknown>[] = [];
  sessions: unknown[] = [];
  /** Set false for a daemon of a version that cannot stream. */
  streams = true;
  readonly #answer: FakeAnswer | undefined;
  readonly #connections = new Set<net.Socket>();
  readonly #subscribers = new Set<net.Socket>();
  #server: net.Server | undefined;

  constructor(answer?: FakeAnswer) {
    this.#answer = answer;
  }

  async listen(): Promise<this> {
    const server = net.createServer((connection) => this.#serve(connection));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.socket, resolve);
    });
    return this;
  }

  get subscribers(): number {
    return this.#subscribers.size;
  }

  /** Bytes that subscribers have not read yet, as far as they wait in this process. */
  get unsentBytes(): number {
    return [...this.#subscribers].reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  /** Sends a snapshot to every subscriber, and to `list` from now on. */
  push(sessions: unknown[]): void {
    this.sessions = sessions;
    for (const subscriber of this.#subscribers) this.#frame(subscriber);
  }

  /** Sends bytes as they are to every subscriber. */
  pushRaw(text: string): void {
    for (const subscriber of this.#subscribers) subscriber.write(text);
  }

  /** Goes away as a killed daemon does; {@link listen} brings it back. */
  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.destroy();
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  #serve(connection: net.Socket): void {
    this.#connections.add(connection);
    connection.on('error', () => {});
    connection.on('close', () => {
      this.#connections.delete(connection);
      this.#subscribers.delete(connection);
    });
    let held = '';
    connection.on('data', (chunk) => {
      held += chunk.toString();
      const lines = held.split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) this.#request(connection, JSON.parse(line) as Record<string, unknown>);
    });
  }

  #request(connection: net.Socket, request: Record<string, unknown>): void {
    this.requests.push(request);
    if (request.op === 'subscribe' && this.streams) {
      this.#subscribers.add(connection);
      this.#frame(connection);
      return;
    }
    const reply = this.#answer?.(request) ?? this.#ownAnswer(request);
    if (reply !== undefined) connection.write(`${JSON.stringify(reply)}\n`);
  }

  #ownAnswer(request: Record<string, unknown>): Reply | undefined {
    if (this.#answer !== undefined) return undefined;
    if (request.op === 'ping') return { ok: true, payload: { pong: true, version: '0.0.0' } };
    if (request.op === 'list') return { ok: true, payload: { sessions: this.sessions } };
    return { ok: false, error: `unknown sessions op: ${String(request.op)}` };
  }

  #frame(subscriber: net.Socket): void {
    subscriber.write(`${JSON.stringify({ ok: true, payload: { sessions: this.sessions } })}\n`);
  }
}
