import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOG_QUEUE_RECORDS, MetadataLog, metadataLogPath } from '../../../wrappers/claude/metadata-log.ts';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { untilState } from './support/reports.ts';
import { asks, init, sessionId, stateLine } from './support/stream-lines.ts';
import { WrappedChild } from './support/wrapped-child.ts';

type LogRecord = Record<string, unknown>;

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-log-'));
  file = path.join(dir, 'wrap.jsonl');
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function records(): LogRecord[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogRecord);
}

const modeOf = (name: string) => (statSync(name).mode & 0o777).toString(8);

describe('the metadata log', () => {
  it.each([undefined, '', 'relative/file'])('is off for %j', (value) => {
    expect(metadataLogPath({ OMNI_DEV_CLAUDE_WRAP_LOG: value })).toBeUndefined();
  });

  it('makes its file readable for its owner alone, and stamps each record', async () => {
    const log = new MetadataLog(file, () => Date.UTC(2026, 0, 2));
    log.write('process_start', { pid: 7 });
    await log.close();
    expect(modeOf(file)).toBe('600');
    const stamp = { ts: '2026-01-02T00:00:00.000Z', wrapper_pid: process.pid };
    expect(records()).toEqual([{ ...stamp, event: 'process_start', pid: 7 }]);
  });

  it('appends to an existing file and leaves its mode', async () => {
    writeFileSync(file, '{"event":"older"}\n');
    chmodSync(file, 0o644);
    const log = new MetadataLog(file);
    log.write('newer');
    await log.close();
    expect(records().map(({ event }) => event)).toEqual(['older', 'newer']);
    expect(modeOf(file)).toBe('644');
  });

  it('refuses a symlink', async () => {
    const target = path.join(dir, 'target');
    writeFileSync(target, '');
    symlinkSync(target, file);
    const log = new MetadataLog(file);
    log.write('process_start');
    await log.close();
    expect(readFileSync(target, 'utf8')).toBe('');
  });

  it('refuses a named pipe and a folder, without waiting for anybody', async () => {
    execFileSync('mkfifo', [file]);
    for (const target of [file, dir]) {
      const log = new MetadataLog(target);
      log.write('process_start');
      await log.close();
    }
    expect(statSync(file).isFIFO()).toBe(true);
  });

  it('drops and counts what its queue cannot hold', async () => {
    const log = new MetadataLog(file);
    for (let i = 0; i < LOG_QUEUE_RECORDS + 5; i += 1) log.write('record', { i });
    expect(log.drops).toBe(5);
    await log.close();
    expect(records()).toHaveLength(LOG_QUEUE_RECORDS);
  });
});

describe('the metadata log of a real run', () => {
  it('tells the life of a session in ids, states, outcomes and counts, and nothing of what was said', async () => {
    const daemon = await new FakeDaemon(() => ({ ok: true, payload: { ok: true } })).listen();
    const child = new WrappedChild({
      socket: daemon.socket,
      childArguments: ['--input-format', 'stream-json'],
      env: { OMNI_DEV_CLAUDE_WRAP_LOG: file },
    });
    try {
      await child.ready();
      await child.childWrites(init + stateLine('running'));
      await child.childWrites('not json, secret words\n{"type":"assistant","message":"secret words"}\n');
      await child.childWrites(Buffer.from([0xff, 0x0a]));
      await child.childWrites('{"type":"control_request","request":{"subtype":"can_use_tool"}}\n');
      await child.childWrites(asks('r', 'secret words'));
      await untilState(daemon, 'waiting_for_permission');
      child.tell({ exit: 4 });
      await child.exited();
    } finally {
      await child.dispose();
      await daemon.close();
    }
    const log = records();
    const pid = child.childPid;
    const events = log.map(({ event }) => event);
    expect(events.at(0)).toBe('process_start');
    expect(events.at(-1)).toBe('process_exit');
    expect(log.every(({ wrapper_pid }) => wrapper_pid === child.process.pid)).toBe(true);
    expect(log.find(({ event }) => event === 'session_identity')).toMatchObject({
      session_id: sessionId,
      cwd: '/w',
      model: 'claude-opus-5',
      pid,
    });
    const states = log.filter(({ event }) => event === 'state_report').map(({ state }) => state);
    expect(states).toEqual(['idle', 'working', 'waiting_for_permission']);
    expect(log.filter(({ event }) => event === 'report').map(({ op, outcome }) => [op, outcome])).toEqual([
      ['observe', 'delivered'],
      ['observe', 'delivered'],
      ['observe', 'delivered'],
      ['end', 'delivered'],
    ]);
    expect(log.find(({ event }) => event === 'diagnostic_summary')).toMatchObject({
      tracker: { parse_failures: 1, missing_permission_ids: 1, unknown_controls: 0, permission_cap_drops: 0 },
      tee_full: 0,
      tee_closed: 0,
      tee_oversize: 0,
      tee_non_utf8: 1,
      diagnostic_drops: 0,
    });
    expect(log.at(-1)).toMatchObject({ pid, code: 4 });
    expect(JSON.stringify(log)).not.toContain('secret');
  });

  it('that cannot be written changes nothing', async () => {
    const child = new WrappedChild({
      env: { OMNI_DEV_CLAUDE_WRAP_LOG: path.join(dir, 'no', 'such', 'folder') },
    });
    try {
      await child.ready();
      await child.childWrites(init);
      child.tell({ exit: 0 });
      expect(await child.exited()).toEqual({ code: 0, signal: null });
      expect(child.stderr).toBe('');
    } finally {
      await child.dispose();
    }
  });
});
