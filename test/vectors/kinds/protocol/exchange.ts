import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { DaemonProcess } from '../../../daemon-lite/support/daemon-process.ts';
import { ask, LineClient } from '../../../daemon-lite/support/line-client.ts';
import { LocalDaemon } from '../../../daemon-lite/support/local-daemon.ts';
import { ThrowAwayHome } from '../../../daemon-lite/support/throw-away.ts';
import type { CaseRunner, VectorCase } from '../../load.ts';
import { bytesOf, type Piece } from './bytes.ts';
import { expectReply } from './reply.ts';

interface Step {
  send?: string;
  send_bytes?: Piece[];
  half_close?: boolean;
  recv?: unknown;
  subset?: boolean;
  within_ms?: number;
  error_contains?: string[];
  error_equals?: string;
  closed?: boolean;
  other_connection?: string;
  expect?: unknown;
  silent_ms?: number;
  hangup?: boolean;
  open_second_subscriber?: string;
  second_recv?: unknown;
  daemon_exits?: number;
  socket_removed?: boolean;
}

/** What the steps of one case talk to. */
interface Stage {
  socket: string;
  client: LineClient;
  second: LineClient | undefined;
  process: DaemonProcess | undefined;
}

/** Plays one case against a fresh daemon: a process where its exit counts, else the same code inside the test. */
export const exchange: CaseRunner = async (testCase) => {
  const steps = testCase.exchange as Step[];
  const needsProcess = steps.some((step) => step.daemon_exits !== undefined);
  const { socket, process, remove } = await (needsProcess ? startProcess(testCase) : startLocal(testCase));
  const stage: Stage = { socket, process, client: await LineClient.connect(socket), second: undefined };
  try {
    for (const step of steps) await play(step, stage);
  } finally {
    stage.client.hangUp();
    stage.second?.hangUp();
    await remove();
  }
};

interface Started {
  socket: string;
  process: DaemonProcess | undefined;
  remove(): Promise<void>;
}

function daemonEnv(testCase: VectorCase): Record<string, string> {
  return (testCase.daemon_env ?? {}) as Record<string, string>;
}

async function startLocal(testCase: VectorCase): Promise<Started> {
  const local = await LocalDaemon.start(daemonEnv(testCase));
  return { socket: local.socket, process: undefined, remove: () => local.remove() };
}

async function startProcess(testCase: VectorCase): Promise<Started> {
  const home = new ThrowAwayHome();
  const socket = home.path('run', 'd.sock');
  const process = new DaemonProcess({ env: home.env(daemonEnv(testCase)), socket });
  expect(await process.settled(socket)).toBe('serving');
  const remove = async () => {
    await process.remove();
    home.remove();
  };
  return { socket, process, remove };
}

async function play(step: Step, stage: Stage): Promise<void> {
  if (step.send !== undefined) stage.client.send(step.send);
  if (step.send_bytes !== undefined) stage.client.sendBytes(bytesOf(step.send_bytes));
  if (step.half_close === true) stage.client.halfClose();
  if (step.hangup === true) stage.client.hangUp();
  if (step.recv !== undefined) expectReply(await stage.client.reply(step.within_ms), step.recv, step);
  if (step.other_connection !== undefined) await playOther(step, stage);
  if (step.open_second_subscriber !== undefined) await openSecond(step.open_second_subscriber, stage);
  if (step.second_recv !== undefined)
    expectReply(await stage.second?.reply(step.within_ms), step.second_recv, step);
  if (step.silent_ms !== undefined) await expectSilence(stage.client, step.silent_ms);
  if (step.closed === true) await stage.client.closed(step.within_ms);
  if (step.daemon_exits !== undefined) expect(await stage.process?.exited).toBe(step.daemon_exits);
  if (step.socket_removed !== undefined) expect(!existsSync(stage.socket)).toBe(step.socket_removed);
}

async function playOther(step: Step, stage: Stage): Promise<void> {
  const reply = await ask(stage.socket, step.other_connection ?? '');
  if (step.expect !== undefined) expectReply(reply, step.expect, { subset: true });
}

/** The second subscriber's first frame is the snapshot of that moment; the steps are about what follows. */
async function openSecond(line: string, stage: Stage): Promise<void> {
  stage.second = await LineClient.connect(stage.socket);
  stage.second.send(line);
  await stage.second.reply();
}

async function expectSilence(client: LineClient, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  expect(client.pendingLines()).toEqual([]);
  expect(client.isClosed).toBe(false);
}
