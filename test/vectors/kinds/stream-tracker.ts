import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { Request } from '../../../contract/messages.ts';
import { StateReporter } from '../../../contract/state-reporter.ts';
import { Observer } from '../../../wrappers/claude/observer.ts';
import type { Direction } from '../../../wrappers/claude/stream-line.ts';
import { Tee, type TeeCounters } from '../../../wrappers/claude/tee.ts';
import { StreamTracker } from '../../../wrappers/claude/tracker.ts';
import type { StateReport, TrackerReport } from '../../../wrappers/claude/tracker-report.ts';
import { claudeWrapProgram } from '../../wrappers/claude/support/program.ts';
import { type BytePiece, bytesOf } from '../bytes.ts';
import { withoutAdditive } from '../compare.ts';
import type { KindRunners, VectorCase } from '../load.ts';

interface LineStep {
  dir?: Direction;
  line?: string;
  keepalive?: boolean;
  report?: Partial<StateReport> | null;
}

interface TrackerCase extends VectorCase {
  lines: LineStep[];
  states_later?: string[];
}

interface TeeCase extends VectorCase {
  chunks: BytePiece[][];
  queue_capacity: number;
  lines?: string[];
  lines_lengths?: number[];
  counts?: Partial<Record<'oversize' | 'non_utf8' | 'full' | 'closed', number>>;
  /** `stalled`: nobody drains the queue; `closed`: the observer has stopped. Absent: it is drained. */
  consumer?: string;
}

interface ObserverCase extends VectorCase {
  lines: LineStep[];
  child_pid?: number;
  sent: { op: string; payload: Record<string, unknown> }[];
}

interface ExitCase extends VectorCase {
  child: { code?: number; signal?: number | string };
  exit_code: number;
}

function take(tracker: StreamTracker, step: LineStep): TrackerReport | undefined {
  if (step.keepalive) return tracker.keepAlive();
  return tracker.line(step.dir ?? 'from_claude', step.line ?? '');
}

function tracker(testCase: VectorCase): void {
  const subject = new StreamTracker();
  for (const [index, step] of (testCase as TrackerCase).lines.entries()) {
    const report = take(subject, step);
    const wanted = step.report ?? null;
    const got = report === undefined || wanted === null ? report : withoutAdditive(report, wanted);
    expect(got ?? null, `step ${index}: ${step.line ?? 'keep-alive'}`).toEqual(wanted);
  }
}

/** Where the sources differ the later behaviour is right: the states that are reported, in order. */
function contested(testCase: VectorCase): void {
  const { lines, states_later } = testCase as TrackerCase;
  const subject = new StreamTracker();
  const states: string[] = [];
  for (const step of lines) {
    const report = take(subject, step);
    if (report !== undefined && 'state' in report) states.push(report.state);
  }
  expect(states).toEqual(states_later);
}

function tee(testCase: VectorCase): void {
  const { chunks, queue_capacity, lines, lines_lengths, counts, consumer } = testCase as TeeCase;
  const subject = new Tee(queue_capacity);
  const offered: string[] = [];
  const drain = () => {
    for (const offer of subject.take()) if ('line' in offer) offered.push(offer.line);
  };
  if (consumer === undefined) subject.onFull = drain;
  if (consumer === 'closed') subject.close();
  const read = subject.reader('from_claude');
  for (const chunk of chunks) read(bytesOf(chunk));
  drain();
  if (lines !== undefined) expect(offered).toEqual(lines);
  if (lines_lengths !== undefined)
    expect(offered.map((line) => Buffer.byteLength(line))).toEqual(lines_lengths);
  const names = {
    oversize: 'tee_oversize',
    non_utf8: 'tee_non_utf8',
    full: 'tee_full',
    closed: 'tee_closed',
  } as const;
  for (const [name, count] of Object.entries(counts ?? {})) {
    const counter: keyof TeeCounters = names[name as keyof typeof names];
    expect(subject.counters[counter], name).toBe(count);
  }
}

async function observer(testCase: VectorCase): Promise<void> {
  const { lines, child_pid, sent } = testCase as ObserverCase;
  const requests: Request[] = [];
  const reporter = new StateReporter({
    socket: '/nonexistent',
    send: async (_socket, request) => {
      requests.push(request);
      return { ok: true };
    },
  });
  const subject = new Observer({ reporter, agentPid: (named) => named ?? child_pid ?? 1 });
  const readers = { from_claude: subject.reader('from_claude'), to_claude: subject.reader('to_claude') };
  for (const step of lines) {
    if (step.keepalive) subject.keepAlive();
    else readers[step.dir ?? 'from_claude'](Buffer.from(`${step.line}\n`));
  }
  await subject.finish();
  const got = requests.map(({ op, payload }, index) => {
    const wanted = sent[index]?.payload ?? {};
    const { pid, ...rest } = withoutAdditive(payload as object, wanted);
    return { op, payload: child_pid === undefined ? rest : { ...rest, pid } };
  });
  expect(got).toEqual(sent);
}

/** Against the real program. Its socket leads nowhere, which must not make a difference. */
function exit(testCase: VectorCase): void {
  const { child, exit_code } = testCase as ExitCase;
  const script =
    child.signal === undefined ? `exit ${child.code}` : `kill -${String(child.signal).replace('SIG', '')} $$`;
  const socket = path.join(os.tmpdir(), `omni-dev-no-daemon-${process.pid}.sock`);
  const argv = [claudeWrapProgram, '--socket', socket, '--', 'sh', '-c', script];
  const { status } = spawnSync(process.execPath, argv, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, OMNI_DEV_NO_AUTOSTART: '1' },
  });
  expect(status).toBe(exit_code);
}

export const kinds: KindRunners = { tracker, 'tracker-contested': contested, tee, observer, exit };
