import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import os from 'node:os';

/** A stream's bytes, as far as a comparison needs them. */
export interface StreamDigest {
  bytes: number;
  sha256: string;
}

/** What one run of a program showed to the outside. */
export interface RunOutcome {
  stdout: StreamDigest;
  stderr: StreamDigest;
  /** The exit code as a shell has it: 128 + n for signal n. `hung` when it had to be killed. */
  status: number | 'hung' | 'not started';
  /** The first bytes of stdout as text. */
  head: string;
}

export interface RunOptions {
  env: NodeJS.ProcessEnv;
  /** Written to stdin, which is closed then. Absent: stdin is closed at once. */
  input?: Buffer;
  /** Sent once the program has written its first byte. */
  signal?: NodeJS.Signals;
  timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const HEAD_BYTES = 65_536;

/** Runs a program to its end. Never throws: what went wrong is the outcome. */
export function runProgram(command: readonly string[], options: RunOptions): Promise<RunOutcome> {
  const [file = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(file, args, { env: options.env, stdio: 'pipe' });
    const stdout = new Digest();
    const stderr = new Digest();
    let status: RunOutcome['status'] | undefined;
    let finished = false;
    const timer = setTimeout(() => {
      status = 'hung';
      child.kill('SIGKILL');
      // A grandchild may hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, options.timeoutMs ?? TIMEOUT_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      if (stdout.bytes === 0 && options.signal !== undefined) child.kill(options.signal);
      stdout.add(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? Buffer.alloc(0));
    const finish = (code: RunOutcome['status']) => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      const digests = { stdout: stdout.end(), stderr: stderr.end() };
      resolve({ ...digests, status: status ?? code, head: stdout.head.toString('utf8') });
    };
    child.once('error', () => finish('not started'));
    child.once('close', (code, signal) => finish(code ?? 128 + os.constants.signals[signal ?? 'SIGKILL']));
  });
}

/** Counts and sums up bytes as they come. */
export class Digest {
  bytes = 0;
  head: Buffer = Buffer.alloc(0);
  readonly #hash = createHash('sha256');

  add(chunk: Buffer): void {
    if (this.head.length < HEAD_BYTES) this.head = Buffer.concat([this.head, chunk]).subarray(0, HEAD_BYTES);
    this.bytes += chunk.length;
    this.#hash.update(chunk);
  }

  end(): StreamDigest {
    return { bytes: this.bytes, sha256: this.#hash.digest('hex') };
  }
}
