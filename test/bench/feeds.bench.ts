import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sendRequest } from '../../contract/client.ts';
import { type SessionEntry, sessionsRequest } from '../../contract/messages.ts';
import { asSnapshot } from '../../contract/subscription.ts';
import { type Benchmark, boundResult, type Result } from './measure.ts';
import { processorMs, ThrowawayDaemon } from './throwaway-daemon.ts';

const FOLDERS = 500;
const TRANSCRIPTS = 10_000;
const RECORDS = 50;
const WATCH_SECONDS = 60;
const JOURNALS = 50;
const EVENTS = 5_000;

const uuid = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function writeTranscripts(home: string): string {
  const old = new Date(Date.now() - 86_400_000);
  let last = '';
  for (let index = 0; index < TRANSCRIPTS; index += 1) {
    const folder = path.join(home, `.claude/projects/-project-${index % FOLDERS}`);
    mkdirSync(folder, { recursive: true });
    last = path.join(folder, `${uuid(index)}.jsonl`);
    writeFileSync(last, '{}\n');
    utimesSync(last, old, old);
  }
  return last;
}

function writeRecords(home: string): { stop: () => void } {
  const folder = path.join(home, '.claude/sessions');
  mkdirSync(folder, { recursive: true });
  const agents = Array.from({ length: RECORDS }, () => spawn('sleep', ['600'], { stdio: 'ignore' }));
  for (const [index, { pid }] of agents.entries()) {
    const procStart = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19];
    const now = Date.now();
    const record = {
      pid,
      sessionId: uuid(50_000 + index),
      cwd: home,
      startedAt: now,
      procStart,
      entrypoint: 'cli',
    };
    writeFileSync(
      path.join(folder, `${pid}.json`),
      JSON.stringify({ ...record, kind: 'interactive', status: 'busy', statusUpdatedAt: now }),
    );
  }
  return { stop: () => agents.map((agent) => agent.kill('SIGKILL')) };
}

async function list(daemon: ThrowawayDaemon): Promise<SessionEntry[]> {
  const reply = await sendRequest(daemon.paths.socket, sessionsRequest('list'));
  return reply.ok ? (asSnapshot(reply.payload)?.sessions ?? []) : [];
}

async function untilListed(daemon: ThrowawayDaemon, id: string): Promise<number> {
  const started = performance.now();
  while (!(await list(daemon)).some((entry) => entry.session_id === id)) await sleep(10);
  return performance.now() - started;
}

async function idleCost(): Promise<Result[]> {
  const daemon = new ThrowawayDaemon();
  const transcript = writeTranscripts(daemon.home);
  const records = writeRecords(daemon.home);
  try {
    await daemon.start();
    await sleep(5_000);
    const before = processorMs(daemon.pid);
    await sleep(WATCH_SECONDS * 1000);
    const share = ((processorMs(daemon.pid) - before) / (WATCH_SECONDS * 1000)) * 100;
    appendFileSync(transcript, '{}\n');
    const growth = await untilListed(daemon, path.basename(transcript, '.jsonl'));
    return [
      boundResult(
        `feeds: idle with ${TRANSCRIPTS} transcripts and ${RECORDS} records`,
        '% of a core',
        share,
        0.5,
      ),
      boundResult('feeds: growth of a transcript seen', 'ms', growth, 1_000),
    ];
  } finally {
    records.stop();
    await daemon.remove();
  }
}

async function replay(): Promise<Result[]> {
  const daemon = new ThrowawayDaemon();
  const folder = path.join(daemon.paths.journalsDir, 'claude');
  mkdirSync(folder, { recursive: true });
  for (let journal = 0; journal < JOURNALS; journal += 1) {
    const lines = Array.from({ length: EVENTS / JOURNALS }, (_, index) =>
      JSON.stringify({
        v: 1,
        ts: new Date(Date.now() - 60_000 + index).toISOString(),
        seq: `${journal}-${index}`,
        agent: 'claude',
        session_id: uuid(journal),
        op: 'observe',
        event: index % 2 === 0 ? 'pre_tool_use' : 'post_tool_use',
        cwd: daemon.home,
      }),
    );
    writeFileSync(path.join(folder, `${uuid(journal)}.jsonl`), `${lines.join('\n')}\n`);
  }
  try {
    const empty = new ThrowawayDaemon();
    const bare = performance.now();
    await empty.start();
    const startMs = performance.now() - bare;
    await empty.remove();
    const started = performance.now();
    await daemon.start();
    while ((await list(daemon)).length < JOURNALS) await sleep(10);
    const took = performance.now() - started - startMs;
    return [
      boundResult(
        `feeds: ${EVENTS} journaled events replayed, over a start without any`,
        'ms',
        Math.max(0, took),
        1_000,
      ),
    ];
  } finally {
    await daemon.remove();
  }
}

export const benchmark: Benchmark = {
  name: 'feeds',
  about: 'what the daemon costs while nothing happens, and how fast it notices',
  run: async () => [...(await replay()), ...(await idleCost())],
};
