import os from 'node:os';
import type { SnapshotPayload } from '../../contract/messages.ts';
import type { CliContext } from '../context.ts';
import { print } from '../output.ts';
import { listLines } from '../view/list-table.ts';
import { runLiveTable } from '../watch/live-table.ts';
import { printSnapshots } from '../watch/snapshot-lines.ts';
import { DEMO_CAPTURES } from './captures.ts';
import { type DemoStage, pause, playCapture } from './host.ts';
import { DemoTheatre } from './stage.ts';

/** In the first line of everything the demo shows: nobody may take it for their own sessions. */
const LABEL = 'RECORDING';
/** Between the starts of two recordings, so that states differ on the screen. */
const STAGGER_MS = 1_300;
/** Between two rounds, so that the ended sessions are seen to leave. */
const INTERVAL_MS = 4_000;

export interface DemoOptions {
  /** 1 is the recorded speed with its long pauses cut. */
  speed: number;
}

/**
 * Replays recorded sessions through the real wrapper, socket and registry in a daemon of their own: over and over under
 * a live table, once as plain lines where stdout is no terminal.
 */
export async function runDemo(context: CliContext, options: DemoOptions): Promise<number> {
  const theatre = await DemoTheatre.open(context, options.speed);
  try {
    return context.stdout.isTTY === true
      ? await inTerminal(context, theatre)
      : await asLines(context, theatre);
  } finally {
    await theatre.close();
  }
}

async function inTerminal(context: CliContext, { stage }: DemoTheatre): Promise<number> {
  void playRounds(stage);
  return runLiveTable(context, {
    socket: stage.socket,
    label: LABEL,
    home: stage.home,
    emptyHint: ['The recordings begin…'],
  });
}

async function asLines(context: CliContext, { stage }: DemoTheatre): Promise<number> {
  const over = new AbortController();
  let exitCode = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    exitCode = 128 + os.constants.signals[signal];
    over.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onSignal);
  await print(context, `${LABEL}: replayed, not your sessions\n`);
  const format = (payload: SnapshotPayload) =>
    payload.sessions.length === 0 ? '' : `${listLines(payload, context.wall()).join('\n')}\n\n`;
  const printing = printSnapshots(context, { socket: stage.socket, format, signal: over.signal });
  await Promise.race([playOnce(stage), printing]);
  over.abort();
  await printing;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
  return exitCode;
}

async function playRounds(stage: DemoStage): Promise<void> {
  while (!stage.signal.aborted) {
    await playOnce(stage);
    await pause(INTERVAL_MS / stage.speed, stage.signal);
  }
}

async function playOnce(stage: DemoStage): Promise<void> {
  await Promise.all(
    DEMO_CAPTURES.map(async (capture, index) => {
      await pause((index * STAGGER_MS) / stage.speed, stage.signal);
      if (!stage.signal.aborted) await playCapture(capture, stage);
    }),
  );
}
