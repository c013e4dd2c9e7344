import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';

interface Request {
  id?: number | string;
  method?: string;
}

/** A Codex app-server with one made-up thread: it answers what an observer asks, and tells it of changes. */
export class CanaryAppServer {
  readonly #http = createServer();
  readonly #sockets = new WebSocketServer({ server: this.#http });
  readonly #thread: { id: string; status: object } & Record<string, unknown>;

  constructor(threadId: string, cwd: string) {
    const status = { type: 'active', activeFlags: [] };
    this.#thread = { id: threadId, sessionId: threadId, source: 'vscode', cwd, status };
    this.#sockets.on('connection', (peer) => {
      peer.on('error', () => {});
      peer.on('message', (data) => this.#answer(peer, String(data)));
    });
  }

  /** @param socket where Codex's shared server listens; its folder is made private. */
  async listen(socket: string): Promise<void> {
    mkdirSync(path.dirname(socket), { recursive: true, mode: 0o700 });
    await new Promise<void>((done, failed) => {
      this.#http.once('error', failed);
      this.#http.listen(socket, done);
    });
  }

  /** The thread's turn is over. */
  comesToRest(): void {
    this.#thread.status = { type: 'idle' };
    const { id: threadId, status } = this.#thread;
    const push = JSON.stringify({ method: 'thread/status/changed', params: { threadId, status } });
    for (const peer of this.#sockets.clients) peer.send(push);
  }

  async close(): Promise<void> {
    for (const peer of this.#sockets.clients) peer.terminate();
    this.#sockets.close();
    await new Promise<void>((done) => this.#http.close(() => done()));
  }

  #answer(peer: WebSocket, text: string): void {
    const { id, method } = JSON.parse(text) as Request;
    if (id === undefined || method === undefined) return;
    peer.send(JSON.stringify({ id, result: this.#resultOf(method) }));
  }

  #resultOf(method: string): object {
    if (method === 'initialize') return { userAgent: 'codex-tui/0.171.0 (canary)' };
    if (method === 'thread/loaded/list') return { data: [this.#thread.id], nextCursor: null };
    return method === 'thread/read' ? { thread: this.#thread } : {};
  }
}
