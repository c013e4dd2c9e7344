import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from '../../contract/line-splitter.ts';
import { sanitize } from '../../contract/sanitize.ts';

const STOP_MS = 2_000;
const SHOWN_ERROR = 200;

export interface AgentProcessOptions {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  onLine?(line: string): void;
}

/** An agent in a process group of its own, so that nothing of it stays. */
export class AgentProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly exited: Promise<void>;
  /** How it ended, once it has: an exit code, a signal's name, or why it did not start. */
  end: number | string | undefined;
  #lastError = '';
  #stopping: Promise<void> | undefined;

  constructor({ command: [file = '', ...args], cwd, env, onLine }: AgentProcessOptions) {
    this.#child = spawn(file, args, { cwd, env, stdio: 'pipe', detached: true });
    this.#child.stdin.on('error', () => {});
    const lines = new LineSplitter({ line: (bytes) => onLine?.(bytes.toString('utf8')), oversize: () => {} });
    this.#child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    const errors = new LineSplitter({ line: (bytes) => this.#takeError(bytes), oversize: () => {} });
    this.#child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    this.exited = new Promise((resolve) => {
      const over = (end: number | string) => {
        this.end ??= end;
        resolve();
      };
      this.#child.once('error', (error) => over(error.message));
      this.#child.once('close', (code, signal) => over(code ?? signal ?? 'unknown'));
    });
  }

  write(line: object): void {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  /** Says how it ended, with the last line it complained in, or undefined when it ended well or still runs. */
  get complaint(): string | undefined {
    if (this.end === undefined || this.end === 0) return undefined;
    const words = this.#lastError === '' ? '' : `: ${this.#lastError}`;
    return `the agent ended with ${this.end}${words}`;
  }

  /** Signals the process alone. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends the process and whatever it started: asks first, kills what is left. Resolves when it is gone. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    if (this.end === undefined) {
      this.signal('SIGTERM');
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS);
      });
      await Promise.race([this.exited, late]);
      clearTimeout(timer);
    }
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
    await this.exited;
  }

  #takeError(bytes: Buffer): void {
    const line = sanitize(bytes.toString('utf8')).trim().slice(0, SHOWN_ERROR);
    if (line !== '') this.#lastError = line;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
