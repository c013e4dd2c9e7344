import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fixture } from './programs.ts';
import { residentMegabytes } from './throwaway-daemon.ts';

/** A program that stands between this process and the source: the arguments before the source's command. */
export type Between = readonly string[];

type Relayed = ChildProcessByStdio<Writable, Readable, null>;

function start(between: Between, env: NodeJS.ProcessEnv, command: readonly string[]): Relayed {
  return spawn(process.execPath, [...between, ...command], { env, stdio: ['pipe', 'pipe', 'ignore'] });
}

async function finish(child: Relayed): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end();
  await closed;
}

/** Milliseconds from the start of the program in between to the first byte of its child. */
export async function untilFirstByte(
  between: Between,
  env: NodeJS.ProcessEnv,
  line: string,
): Promise<number> {
  const started = performance.now();
  const child = start(between, env, ['/bin/sh', '-c', 'printf "%s\\n" "$0"', line]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const took = performance.now() - started;
  await finish(child);
  return took;
}

export interface Flood {
  megabytesPerSecond: number;
  /** Resident memory of the program in between when everything had passed, in megabytes. */
  residentMegabytes: number;
}

/** Lets `bytes` of a busy stream pass. */
export async function flood(between: Between, env: NodeJS.ProcessEnv, bytes: number): Promise<Flood> {
  const source = [process.execPath, fixture('stream-source'), 'flood', String(bytes)];
  const child = start(between, env, source);
  let began = 0;
  let got = 0;
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error(`the stream ended after ${got} of ${bytes} bytes`)));
    child.stdout.on('data', (chunk: Buffer) => {
      if (got === 0) began = performance.now();
      got += chunk.length;
      if (got >= bytes) resolve();
    });
  });
  const seconds = (performance.now() - began) / 1_000;
  const resident = residentMegabytes(child.pid ?? 0);
  await finish(child);
  return { megabytesPerSecond: bytes / 2 ** 20 / seconds, residentMegabytes: resident };
}

/** A source that writes one stamped message whenever it is asked to, seen through the program in between. */
export class PacedSource {
  readonly #child: Relayed;
  #text = '';
  #onArrival: (ms: number) => void = () => {};

  constructor(between: Between, env: NodeJS.ProcessEnv) {
    this.#child = start(between, env, [process.execPath, fixture('stream-source'), 'paced']);
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk, Number(process.hrtime.bigint())));
  }

  /** Milliseconds that the next message takes from the source's write to this process. */
  next(): Promise<number> {
    return new Promise((resolve) => {
      this.#onArrival = resolve;
      this.#child.stdin.write('\n');
    });
  }

  close(): Promise<void> {
    return finish(this.#child);
  }

  #take(chunk: Buffer, now: number): void {
    this.#text += chunk.toString('latin1');
    const end = this.#text.lastIndexOf('\n') + 1;
    const stamp = /"at":(\d+)/.exec(this.#text.slice(0, end));
    this.#text = this.#text.slice(end);
    if (stamp !== null) this.#onArrival((now - Number(stamp[1])) / 1e6);
  }
}
