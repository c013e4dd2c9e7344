import { setTimeout as sleep } from 'node:timers/promises';
import { OmniDevError } from '../../contract/errors.ts';
import type { CliContext } from '../context.ts';
import { print } from '../output.ts';
import { DEMO_CAPTURES } from './captures.ts';
import { LineQueue } from './line-queue.ts';
import { paced } from './pace.ts';

export interface DemoAgentOptions {
  session: string;
  speed: number;
}

/** Plays the agent's side of a recording on stdio, in step with its host: the child that the demo's wrapper runs. */
export async function run(
  context: CliContext,
  options: DemoAgentOptions,
  [name = '']: string[],
): Promise<void> {
  const capture = DEMO_CAPTURES.find((candidate) => candidate.name === name);
  if (capture === undefined) throw new OmniDevError('DEMO_UNKNOWN', `there is no recording called ${name}`);
  const host = new LineQueue(context.stdin);
  const { steps, lastPauseMs } = paced(capture, options.speed);
  for (const { pauseMs, from, line } of steps) {
    if (from === 'host') {
      if (!(await host.next())) break;
      continue;
    }
    await sleep(pauseMs);
    const cwd = line.subtype === 'init' ? { cwd: process.cwd() } : {};
    await print(context, JSON.stringify({ ...line, ...cwd, session_id: options.session }));
  }
  await sleep(lastPauseMs);
  host.close();
}
