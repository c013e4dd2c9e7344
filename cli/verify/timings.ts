import { type ChildProcess, spawn } from 'node:child_process';
import type { VerifyTarget } from './checks.ts';

/** A time without and with the wrapper, in milliseconds. Told, not judged: it depends on what else the machine does. */
export interface VerifyTiming {
  name: string;
  direct_ms: number;
  wrapped_ms: number;
}

const LINES = 400;
const STARTS = 7;

/** Measures what the wrapper adds to each line and to a start. */
export async function measure(echo: readonly string[], target: VerifyTarget): Promise<VerifyTiming[]> {
  const wrappedEcho = [...target.wrapper, ...echo];
  const [direct, wrapped] = [await lineTimes(echo, target), await lineTimes(wrappedEcho, target)];
  const [directStart, wrappedStart] = [await startTimes(echo, target), await startTimes(wrappedEcho, target)];
  return [
    timing('line there and back, p50', 0.5, direct, wrapped),
    timing('line there and back, p99', 0.99, direct, wrapped),
    timing('start to first byte, p50', 0.5, directStart, wrappedStart),
  ];
}

/** A quantile of two samples, for the table. */
export function timing(name: string, at: number, direct: number[], wrapped: number[]): VerifyTiming {
  return { name, direct_ms: round(quantile(direct, at)), wrapped_ms: round(quantile(wrapped, at)) };
}

/** Times of lines that travel to an echoing child and back, one at a time. */
async function lineTimes(command: readonly string[], target: VerifyTarget): Promise<number[]> {
  const child = start(command, target);
  const times: number[] = [];
  try {
    // The first line waits for the start.
    await roundTrip(child);
    for (let line = 0; line < LINES; line++) times.push(await roundTrip(child));
  } finally {
    child.kill('SIGKILL');
  }
  return times;
}

async function startTimes(command: readonly string[], target: VerifyTarget): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < STARTS; turn++) {
    const begin = performance.now();
    const child = start(command, target);
    await roundTrip(child);
    times.push(performance.now() - begin);
    child.stdin?.end();
    await new Promise((resolve) => child.once('close', resolve));
  }
  return times;
}

function start([file = '', ...args]: readonly string[], target: VerifyTarget): ChildProcess {
  return spawn(file, args, { env: target.env, stdio: ['pipe', 'pipe', 'ignore'] });
}

function roundTrip(child: ChildProcess): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error('the child ended before it answered'));
    child.once('close', onClose);
    child.stdout?.once('data', () => {
      child.off('close', onClose);
      resolve(performance.now() - begin);
    });
    child.stdin?.write('{"type":"verify"}\n');
  });
}

function quantile(times: number[], at: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
