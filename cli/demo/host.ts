import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoCapture } from './captures.ts';
import { LineQueue } from './line-queue.ts';
import { paced } from './pace.ts';

export interface DemoStage {
  programsDir: string;
  socket: string;
  /** Home of the demo; the sessions' folders are in it. */
  home: string;
  env: NodeJS.ProcessEnv;
  speed: number;
  signal: AbortSignal;
}

/**
 * Plays one recording as an editor would run it: the real wrapper around an agent that repeats what was recorded, and
 * the host's side typed into the wrapper. Resolves when the wrapper has exited.
 */
export async function playCapture(capture: DemoCapture, stage: DemoStage): Promise<void> {
  const program = (name: string) => path.join(stage.programsDir, name);
  const agent = [program('omni-dev.cjs'), 'demo-agent', capture.name];
  const agentOptions = ['--session', randomUUID(), '--speed', String(stage.speed)];
  const child = spawn(
    process.execPath,
    [program('claude-wrap.cjs'), '--socket', stage.socket, '--', process.execPath, ...agent, ...agentOptions],
    { cwd: path.join(stage.home, capture.folder), env: stage.env, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const stop = () => child.kill();
  stage.signal.addEventListener('abort', stop, { once: true });
  child.stdin.on('error', () => {});
  const output = new LineQueue(child.stdout);
  for (const { pauseMs, from, line } of paced(capture, stage.speed).steps) {
    if (from === 'agent') {
      if (!(await output.next())) break;
      continue;
    }
    await pause(pauseMs, stage.signal);
    if (stage.signal.aborted) break;
    child.stdin.write(`${JSON.stringify(line)}\n`);
  }
  await exited;
  output.close();
  stage.signal.removeEventListener('abort', stop);
}

/** Waits, or returns at once when the demo is over. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}
