import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import net from 'node:net';
import { until } from '../../support/until.ts';
import { DAEMON_PROGRAM } from './daemon-process.ts';

/**
 * Holds descriptor 3 and starts a daemon with it for each line of its input, as systemd does: LISTEN_PID is the pid of
 * the process that becomes the daemon, set by a shell that execs it. `$1` stands for that pid where it is empty.
 */
const HOLDER = `
trap 'kill -9 $! 2>/dev/null; exit' TERM
while read -r for_pid; do
  LISTEN_FDS=1 LISTEN_FDNAMES=x /bin/sh -c 'LISTEN_PID=\${1:-$$}; export LISTEN_PID; shift; exec "$@"' sh "$for_pid" "$@" &
  wait $!
  echo "$?"
done
`;

export interface HolderOptions {
  /** Where the socket is bound. */
  socket: string;
  env: Record<string, string>;
  args?: string[];
  /** Another descriptor to hand over in place of the socket. */
  descriptor?: number;
}

/** A service manager as small as can be: it holds a listening socket, and starts a daemon on it when it is told to. */
export class SocketHolder {
  readonly #shell: ChildProcess;
  readonly #closed: Promise<unknown>;
  #ended: string[] = [];
  stderr = '';

  private constructor(shell: ChildProcess) {
    this.#shell = shell;
    this.#closed = once(shell, 'close');
    shell.stdout?.on('data', (chunk) => this.#ended.push(...String(chunk).trim().split('\n')));
    shell.stderr?.on('data', (chunk) => {
      this.stderr += String(chunk);
    });
  }

  static async bind(options: HolderOptions): Promise<SocketHolder> {
    const server = net.createServer();
    server.listen(options.socket);
    await once(server, 'listening');
    const { _handle: handle } = server as unknown as { _handle: { fd: number } };
    const daemon = [process.execPath, DAEMON_PROGRAM, 'run', ...(options.args ?? [])];
    const shell = spawn('/bin/sh', ['-c', HOLDER, 'sh', ...daemon], {
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe', options.descriptor ?? handle.fd],
    });
    // Node removes the path that it bound when it lets go of the socket: the path is elsewhere at that moment.
    const aside = `${options.socket}-`;
    renameSync(options.socket, aside);
    await new Promise((resolve) => server.close(resolve));
    renameSync(aside, options.socket);
    return new SocketHolder(shell);
  }

  /** Starts a daemon; LISTEN_PID names another process where `forPid` is given. */
  start(forPid = ''): void {
    this.#shell.stdin?.write(`${forPid}\n`);
  }

  /** The exit status of the daemon that ends next. */
  async ended(): Promise<number> {
    await until(
      () => this.#ended.length > 0,
      () => `no daemon ended: ${this.stderr}`,
      60_000,
    );
    return Number(this.#ended.shift());
  }

  /** Lets go of the socket; a daemon that still runs is killed. */
  async close(): Promise<void> {
    this.#shell.kill('SIGTERM');
    await this.#closed;
  }
}
