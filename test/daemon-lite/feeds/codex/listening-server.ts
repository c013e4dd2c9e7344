import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { controlSocketPath } from '../../../../daemon-lite/feeds/codex-shared-server.ts';
import { FakeAppServer, type FakeThread } from '../../../agents/codex/fake-app-server.ts';

/** The fake app-server behind the real socket of a Codex home: a link to a socket in a directory of its own. */
export class ListeningServer {
  readonly #home: string;
  readonly #directory: string;
  readonly #threads: FakeThread[];
  #http: Server | undefined;
  #sockets: WebSocketServer | undefined;
  /** One fake per connection, newest last. */
  readonly connections: FakeAppServer[] = [];

  constructor(codexHome: string, threads: FakeThread[]) {
    this.#home = codexHome;
    this.#directory = path.join(codexHome, 'daemon-sockets');
    this.#threads = threads;
  }

  /** Starts to listen; `pid` is what the server's own file says. */
  async listen(pid = 4242): Promise<void> {
    const link = controlSocketPath(this.#home);
    const target = path.join(this.#directory, `s${this.connections.length}`);
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    mkdirSync(path.dirname(link), { recursive: true });
    mkdirSync(path.join(this.#home, 'app-server-daemon'), { recursive: true });
    writeFileSync(path.join(this.#home, 'app-server-daemon', 'daemon.pid'), JSON.stringify({ pid }));
    this.#http = createServer();
    this.#sockets = new WebSocketServer({ server: this.#http });
    this.#sockets.on('connection', (peer) => this.#connect(peer));
    await new Promise<void>((done) => this.#http?.listen(target, done));
    rmSync(link, { force: true });
    symlinkSync(target, link);
  }

  get newest(): FakeAppServer | undefined {
    return this.connections.at(-1);
  }

  /** Ends as a killed process does: the link stays, and leads nowhere. */
  async die(): Promise<void> {
    for (const peer of this.#sockets?.clients ?? []) peer.terminate();
    this.#sockets?.close();
    await new Promise((done) => (this.#http ? this.#http.close(done) : done(undefined)));
  }

  #connect(peer: WebSocket): void {
    const fake = new FakeAppServer();
    for (const thread of this.#threads) fake.add(thread);
    fake.transport.listen(
      (text) => peer.send(text),
      () => peer.terminate(),
    );
    peer.on('message', (data) => fake.transport.send(String(data)));
    this.connections.push(fake);
  }
}
