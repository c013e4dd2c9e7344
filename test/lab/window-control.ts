import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Pending = { resolve(value: unknown): void; reject(error: Error): void };

/** One extension host that has connected. */
interface Host {
  folder: string;
  socket: net.Socket;
  pending: Map<number, Pending>;
}

/** The other end of the extension in `window-control/`: runs actions inside a window, addressed by its folder. */
export class WindowControl {
  readonly #socketPath: string;
  readonly #hosts = new Set<Host>();
  #server: net.Server | undefined;
  #lastId = 0;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  async listen(): Promise<this> {
    const server = net.createServer((socket) => this.#serve(socket));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#socketPath, resolve));
    return this;
  }

  /** Runs an action in the window that has this folder open; waits for the window where it is still starting. */
  async run(folder: string, action: string, ...args: unknown[]): Promise<unknown> {
    const host = await this.#hostOf(folder);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      host.pending.set(id, { resolve, reject });
      host.socket.write(`${JSON.stringify({ id, action, args })}\n`);
    });
  }

  async close(): Promise<void> {
    for (const { socket } of this.#hosts) socket.destroy();
    const server = this.#server;
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async #hostOf(folder: string): Promise<Host> {
    for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
      const found = [...this.#hosts].findLast((host) => host.folder === folder);
      if (found !== undefined) return found;
    }
    throw new Error(`no window has ${folder} open`);
  }

  #serve(socket: net.Socket): void {
    const host: Host = { folder: '', socket, pending: new Map() };
    this.#hosts.add(host);
    let held = '';
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#hosts.delete(host);
      for (const { reject } of host.pending.values()) reject(new Error('the window is gone'));
    });
    socket.on('data', (chunk) => {
      const lines = (held + chunk.toString()).split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) this.#line(host, JSON.parse(line) as Record<string, unknown>);
    });
  }

  #line(host: Host, message: Record<string, unknown>): void {
    if (typeof message.folder === 'string') host.folder = message.folder;
    const pending = host.pending.get(Number(message.id));
    if (pending === undefined) return;
    host.pending.delete(Number(message.id));
    if (typeof message.error === 'string') pending.reject(new Error(message.error));
    else pending.resolve(message.value);
  }
}
