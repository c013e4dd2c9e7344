import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { claudeWrapProgram } from './program.ts';

const drivenChild = path.join(import.meta.dirname, 'driven-child.mjs');

/** Of longer streams only counts and digests are kept. */
const KEPT_BYTES = 8 * 1_048_576;

export interface WrappedChildOptions {
  /** The daemon's socket; by default one where nobody listens. */
  socket?: string;
  env?: Record<string, string>;
  /** Arguments for the child, which ignores them; the wrapper may read them. */
  childArguments?: string[];
  /** The program around the child; by default the built wrapper. */
  program?: string[];
}

/** How the wrapper left. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * The real wrapper around a child that the test drives: the test is the host on the wrapper's pipes, and tells the child
 * over a socket what to write and when.
 */
export class WrappedChild {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-wrap-'));
  /** What came out of the wrapper's stdout. */
  readonly output: Buffer[] = [];
  outputBytes = 0;
  outputEnded = false;
  /** What the child read from its stdin. */
  readonly input: Buffer[] = [];
  inputBytes = 0;
  inputEnded = false;
  readonly signals: string[] = [];
  readonly writeFailures: string[] = [];
  childPid = 0;
  /** Pid of the process that `leaveHeir` started. */
  heirPid = 0;
  childParent = 0;
  /** Bytes of finished `repeat` actions. */
  wroteBytes = 0;
  stderr = '';
  exit: Exit | undefined;
  readonly process: ChildProcess;
  readonly #server: net.Server;
  readonly #outputHash = createHash('sha256');
  readonly #inputHash = createHash('sha256');
  readonly #waiting = new Set<() => void>();
  #control: net.Socket | undefined;

  constructor(options: WrappedChildOptions = {}) {
    const controlSocket = path.join(this.dir, 'control.sock');
    this.#server = net.createServer((connection) => this.#listenTo(connection)).listen(controlSocket);
    const socket = options.socket ?? path.join(this.dir, 'no-daemon.sock');
    const program = options.program ?? [claudeWrapProgram, '--socket', socket, '--'];
    const child = [process.execPath, drivenChild, controlSocket, ...(options.childArguments ?? [])];
    this.process = spawn(process.execPath, [...program, ...child], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, HOME: this.dir, OMNI_DEV_NO_AUTOSTART: '1', ...options.env },
    });
    this.process.stdin?.on('error', () => {});
    this.process.stdout?.on('data', (chunk: Buffer) => {
      if (this.outputBytes < KEPT_BYTES) this.output.push(chunk);
      this.outputBytes += chunk.length;
      this.#outputHash.update(chunk);
      this.#changed();
    });
    this.process.stdout?.on('end', () => {
      this.outputEnded = true;
      this.#changed();
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.process.on('exit', (code, signal) => {
      this.exit = { code, signal };
      this.#changed();
    });
  }

  /** SHA-256 of everything that came out so far. */
  get outputDigest(): string {
    return this.#outputHash.copy().digest('hex');
  }

  /** SHA-256 of everything the child has read so far. */
  get inputDigest(): string {
    return this.#inputHash.copy().digest('hex');
  }

  /** Waits until the child is there and listens; leaves nothing behind when it never is. */
  async ready(): Promise<this> {
    const isUp = () => this.childPid !== 0;
    try {
      await this.when(isUp, () => `the child never came up: ${this.stderr}`);
    } catch (error) {
      await this.dispose();
      throw error;
    }
    return this;
  }

  /** Tells the child to do something. */
  tell(action: Record<string, unknown>): void {
    this.#control?.write(`${JSON.stringify(action)}\n`);
  }

  /** The child writes bytes; resolves when they have come out of the wrapper. */
  async childWrites(bytes: Buffer | string): Promise<void> {
    const chunk = Buffer.from(bytes);
    const target = this.outputBytes + chunk.length;
    this.tell({ write: chunk.toString('base64') });
    await this.when(
      () => this.outputBytes >= target,
      () => `${target - this.outputBytes} bytes of output are missing`,
    );
  }

  /** The host writes bytes; resolves when the child has read them. */
  async hostWrites(bytes: Buffer | string): Promise<void> {
    const chunk = Buffer.from(bytes);
    const target = this.inputBytes + chunk.length;
    this.process.stdin?.write(chunk);
    await this.when(
      () => this.inputBytes >= target,
      () => `${target - this.inputBytes} bytes of input are missing`,
    );
  }

  /** Waits for the wrapper's exit. */
  async exited(timeoutMs?: number): Promise<Exit> {
    await this.when(
      () => this.exit !== undefined && this.outputEnded,
      () => 'the wrapper never left',
      timeoutMs,
    );
    return this.exit ?? { code: null, signal: null };
  }

  /** Waits for a condition on what is seen here; looked at whenever something happens. */
  async when(condition: () => boolean, describe: () => string, timeoutMs = 20_000): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(describe()));
      }, timeoutMs);
      const look = () => {
        if (!condition()) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  /** Ends everything that still runs and removes the folder. */
  async dispose(): Promise<void> {
    if (this.exit === undefined) this.process.kill('SIGKILL');
    this.process.stdout?.destroy();
    this.#control?.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    rmSync(this.dir, { recursive: true, force: true });
  }

  #changed(): void {
    for (const look of [...this.#waiting]) look();
  }

  #listenTo(connection: net.Socket): void {
    this.#control = connection;
    connection.on('error', () => {});
    let held = '';
    connection.setEncoding('utf8');
    connection.on('data', (text: string) => {
      const lines = (held + text).split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) this.#heard(JSON.parse(line));
    });
  }

  #heard(message: Record<string, unknown>): void {
    if (typeof message.pid === 'number') this.childPid = message.pid;
    if (typeof message.heirPid === 'number') this.heirPid = message.heirPid;
    if (typeof message.ppid === 'number') this.childParent = message.ppid;
    if (typeof message.signal === 'string') this.signals.push(message.signal);
    if (typeof message.writeFailed === 'string') this.writeFailures.push(message.writeFailed);
    if (typeof message.wrote === 'number') this.wroteBytes += message.wrote;
    if (message.readEnd === true) this.inputEnded = true;
    if (typeof message.read === 'string') this.#hasRead(Buffer.from(message.read, 'base64'));
    this.#changed();
  }

  #hasRead(chunk: Buffer): void {
    if (this.inputBytes < KEPT_BYTES) this.input.push(chunk);
    this.inputBytes += chunk.length;
    this.#inputHash.update(chunk);
  }
}
