import { spawn } from 'node:child_process';
import { sendRequest } from '../../contract/client.ts';
import { sessionsRequest } from '../../contract/messages.ts';
import { asSnapshot } from '../../contract/subscription.ts';
import { type Benchmark, boundResult, inTurns, type Result, ratioResult, timed } from './measure.ts';
import { built } from './programs.ts';
import { ThrowawayDaemon } from './throwaway-daemon.ts';

const RUNS = 41;
const BURST = 100;

function uuid(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

function shell(command: string, env: NodeJS.ProcessEnv, input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
    child.stdin.end(input);
  });
}

function install(daemon: ThrowawayDaemon): Promise<void> {
  return shell(
    `${JSON.stringify(process.execPath)} ${JSON.stringify(built('omni-dev'))} sessions install-hooks`,
    daemon.env,
  );
}

async function compare(name: string, daemon: ThrowawayDaemon): Promise<Result> {
  const command = `'${daemon.paths.commandShim}' sessions hook`;
  const input = JSON.stringify({ session_id: uuid(1), hook_event_name: 'PostToolUse', cwd: daemon.home });
  const [figure, baseline] = await inTurns(
    RUNS,
    () => timed(() => shell(command, daemon.env, input)),
    () => timed(() => shell(`'${process.execPath}' -e 0`, daemon.env)),
  );
  return ratioResult(name, 'ms', figure, baseline, { most: 1.25 });
}

/** Many sinks at once: every one of their events must be in the registry. */
async function burst(daemon: ThrowawayDaemon): Promise<Result> {
  const command = `'${daemon.paths.commandShim}' sessions hook`;
  const sinks = Array.from({ length: BURST }, (_, index) =>
    shell(command, daemon.env, JSON.stringify({ session_id: uuid(index + 100), hook_event_name: 'Stop' })),
  );
  await Promise.all(sinks);
  const reply = await sendRequest(daemon.paths.socket, sessionsRequest('list'));
  const sessions = reply.ok ? (asSnapshot(reply.payload)?.sessions ?? []) : [];
  const found = sessions.filter((entry) => entry.session_id >= uuid(100)).length;
  return boundResult(`hook: events lost of ${BURST} concurrent sinks`, 'events', BURST - found, 0);
}

export const benchmark: Benchmark = {
  name: 'hook',
  about: 'the installed hook command against a bare node, daemon up and down; a burst of sinks',
  async run() {
    const daemon = new ThrowawayDaemon();
    try {
      await daemon.start();
      await install(daemon);
      const up = await compare('hook: installed command, daemon up', daemon);
      const lost = await burst(daemon);
      await daemon.stop();
      return [up, await compare('hook: installed command, daemon down', daemon), lost];
    } finally {
      await daemon.remove();
    }
  },
};
