import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claudeHome } from '../../../agents/claude/home.ts';
import { processTable } from '../../../agents/system/process-table.ts';
import { stopProcess } from '../../stage/private-daemon.ts';
import type { SeenRows } from '../../stage/seen-rows.ts';
import type { ThrowAwayHome } from '../../stage/throw-away-home.ts';
import { type Finding, ok, problem } from '../finding.ts';

const CHECK = 'canary-record';
const STEP_MS = 10_000;
const FIX = 'omni-dev daemon logs   (a system limit on file watches, or a /proc that cannot be read)';

/** A live-process record's way, as Claude writes one: file, daemon, subscriber. Its process is one that waits for us. */
export async function recordCanary(home: ThrowAwayHome, seen: SeenRows): Promise<Finding> {
  // It ends with its input, and so with us, whatever happens here.
  const waiting = spawn('/bin/sh', ['-c', 'read -r word'], {
    env: home.env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  waiting.on('error', () => {});
  try {
    if (waiting.pid === undefined)
      return problem(CHECK, '/bin/sh does not run', 'see whether /bin/sh is there');
    return await follow(home, seen, waiting, waiting.pid);
  } finally {
    await stopProcess(waiting);
  }
}

async function follow(
  home: ThrowAwayHome,
  seen: SeenRows,
  waiting: ChildProcess,
  pid: number,
): Promise<Finding> {
  const sessionId = randomUUID();
  const startedAt = Date.now();
  const table = processTable(home.around.platform);
  await table.refresh();
  const token = table.read(pid)?.token;
  const folder = claudeHome(home.around).liveRecords;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (status: string) => {
    const record = {
      pid,
      sessionId,
      cwd: home.project,
      startedAt,
      ...(token === undefined ? {} : { procStart: token }),
      kind: 'interactive',
      entrypoint: 'cli',
      status,
      statusUpdatedAt: Date.now(),
    };
    writeFileSync(path.join(folder, `${pid}.json`), JSON.stringify(record));
  };
  const shows = (state: string) => seen.of(sessionId).at(-1)?.state === state;
  write('busy');
  if (!(await seen.until(() => shows('working'), STEP_MS)))
    return problem(CHECK, "a record as Claude writes it was not seen: plain Claude sessions don't show", FIX);
  const begin = performance.now();
  write('idle');
  if (!(await seen.until(() => shows('idle'), STEP_MS)))
    return problem(CHECK, 'a changed record was not seen: plain Claude sessions keep an old state', FIX);
  const ms = Math.round(performance.now() - begin);
  await stopProcess(waiting);
  if (!(await seen.until(() => shows('ended'), STEP_MS)))
    return problem(CHECK, 'the end of a recorded process was not seen: dead sessions stay', FIX);
  return ok(CHECK, `a record as Claude writes it: daemon and subscriber follow it (${ms} ms)`);
}
