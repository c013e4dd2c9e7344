import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JournalFile } from '../../../daemon-lite/feeds/journal-file.ts';
import { compactJournal } from '../../../daemon-lite/registry/journal-housekeeping.ts';
import { appendToJournal } from '../../../sink/journal-file.ts';
import { FeedBench } from './feed-bench.ts';

const ID = '0b7e6c1a-2f4d-4a8e-9c3b-5d1e7f9a2b4c';
let bench: FeedBench;
let seq = 0;

beforeEach(() => {
  bench = new FeedBench();
});
afterEach(() => bench.close());

const until = (check: () => void) => vi.waitFor(check, { timeout: 8_000, interval: 20 });

function line(event: string, more: object = {}): string {
  seq += 1;
  const ts = new Date().toISOString();
  const record = {
    v: 1,
    ts,
    seq: `1-${seq}`,
    agent: 'claude',
    session_id: ID,
    op: 'observe',
    event,
    ...more,
  };
  return `${JSON.stringify(record)}\n`;
}

function journal(...lines: string[]): string {
  return bench.write(`journals/claude/${ID}.jsonl`, lines.join(''));
}

describe('hook journals', () => {
  it('bring back what happened while the daemon was down', () => {
    journal(line('user_prompt_submit', { cwd: '/w' }), line({ notification: 'permission_prompt' } as never));
    bench.journals().start();
    expect(bench.registry.list()).toMatchObject([{ state: 'waiting_for_permission', cwd: '/w' }]);
  });

  it('from before the machine was started bring nothing back, unless its process is there to prove it', () => {
    const agent = bench.agent();
    const ts = new Date(Date.now() - 60_000).toISOString();
    journal(line('user_prompt_submit', { ts, pid: 999_999_999 }));
    bench.journals(Date.now() - 30_000).start();
    expect(bench.registry.list()).toEqual([]);
    journal(line('user_prompt_submit', { pid: agent.pid }));
    bench.journals(Date.now() + 1_000).start();
    expect(bench.state(ID)).toBe('working');
  });

  it('tell the past of a session before the first event that comes by the socket', () => {
    bench.journals().start();
    journal(line('session_start', { model: 'old' }), line('stop'), line('user_prompt_submit'));
    const stamp = { ts: new Date().toISOString(), seq: 'sink-1' };
    bench.ingest.observe({ session_id: ID, event: 'stop', agent_id: 'a1', stamp }, 'socket');
    expect(bench.state(ID)).toBe('working');
  });

  it('an event whose POST was lost is applied all the same', async () => {
    const file = path.join(bench.folder, 'journals/claude', `${ID}.jsonl`);
    bench.journals().start();
    appendToJournal(file, line('user_prompt_submit'), Date.now());
    await until(() => expect(bench.state(ID)).toBe('working'));
    appendToJournal(file, line('stop'), Date.now());
    await until(() => expect(bench.state(ID)).toBe('idle'));
  });

  it('an event that also came by the socket is applied once', () => {
    const text = line('user_prompt_submit');
    const { ts, seq: id } = JSON.parse(text) as { ts: string; seq: string };
    journal(text);
    bench.registry.observe({ session_id: ID, event: 'user_prompt_submit', stamp: { ts, seq: id } });
    bench.registry.observe({ session_id: ID, event: 'stop' });
    bench.journals().start();
    expect(bench.state(ID)).toBe('idle');
  });

  it('an ended session is not brought back, and its journal goes', () => {
    const file = journal(line('stop'), line('stop', { op: 'end', event: undefined }));
    bench.journals().start();
    expect(bench.registry.list()).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  it('a row that is there hears of an end that only the journal has', () => {
    bench.registry.observe({ session_id: ID, event: 'stop' });
    journal(line('stop'), line('stop', { op: 'end', event: undefined }));
    bench.journals().start();
    expect(bench.state(ID)).toBe('ended');
  });

  it('torn, foreign and newer records are skipped and counted; links and strange names are left alone', () => {
    const other = '11111111-2f4d-4a8e-9c3b-5d1e7f9a2b4c';
    journal(
      '{"v":1,"ts":\n',
      line('stop', { v: 2 }),
      line('stop', { session_id: other }),
      line('pre_tool_use'),
    );
    const target = bench.write('target.jsonl', line('stop', { session_id: other }));
    symlinkSync(target, path.join(bench.folder, `journals/claude/${other}.jsonl`));
    bench.write('journals/claude/NOTES.jsonl', line('stop'));
    const feed = bench.journals();
    feed.start();
    expect(bench.registry.list()).toMatchObject([{ session_id: ID, state: 'working' }]);
    expect(feed.detail()).toMatchObject({ skipped_records: 3 });
    expect(existsSync(target)).toBe(true);
  });

  it('a folder that cannot be made is one warning and no crash', () => {
    writeFileSync(path.join(bench.folder, 'journals'), 'a file in the way');
    bench.journals().start();
    expect(bench.warnings).toHaveLength(1);
  });

  it('a partial last line waits for its rest', () => {
    const whole = line('stop');
    const file = journal(whole.slice(0, 20));
    const reader = new JournalFile(file);
    const uid = process.getuid?.() ?? 0;
    expect(reader.read(uid)).toMatchObject({ lines: [], complete: false });
    writeFileSync(file, whole);
    expect(reader.read(uid)?.lines).toEqual([whole.trimEnd()]);
    expect(reader.read(uid)?.lines).toEqual([]);
  });

  it('a long journal is cut at a line, keeps its newest prompt, and its mode', () => {
    const lines = [line('user_prompt_submit'), ...Array.from({ length: 900 }, () => line('pre_tool_use'))];
    const file = journal(...lines);
    const reader = new JournalFile(file);
    const uid = process.getuid?.() ?? 0;
    reader.read(uid);
    const isPrompt = (text: string) => text.includes('user_prompt_submit');
    expect(reader.replace((content) => compactJournal(content, isPrompt), uid)).toBe(true);
    const kept = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(kept[0]).toBe(lines[0]?.trimEnd());
    expect(kept.at(-1)).toBe(lines.at(-1)?.trimEnd());
    expect(statSync(file).size).toBeLessThan(70_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(reader.read(uid)?.lines).toEqual([]);
    appendToJournal(file, line('stop'), Date.now());
    expect(reader.read(uid)?.lines).toHaveLength(1);
  });

  it('of a session whose id is written in capitals are kept while it lives', async () => {
    const file = journal(line('user_prompt_submit', { session_id: ID.toUpperCase() }));
    const rests = bench.write(`journals/claude/${ID.replace('0', '1')}.jsonl`, 'junk\n');
    for (const quiet of [file, rests]) utimesSync(quiet, new Date(0), new Date(Date.now() - 180_000));
    bench.journals().start();
    await until(() => expect(existsSync(rests)).toBe(false));
    expect(existsSync(file)).toBe(true);
  });

  it('a journal that grows meanwhile is not cut', () => {
    const file = journal(line('user_prompt_submit'), line('stop'));
    const reader = new JournalFile(file);
    const uid = process.getuid?.() ?? 0;
    reader.read(uid);
    const added = line('stop');
    const grew = reader.replace((content) => {
      writeFileSync(file, content + added);
      return 'cut';
    }, uid);
    expect(grew).toBe(false);
    expect(readFileSync(file, 'utf8')).toContain(added);
  });

  it('8 hours of sleep and a wrong clock reap and invent nobody', () => {
    journal(line('stop'));
    bench.wallOffset = -3_600_000;
    bench.journals().start();
    expect(bench.state(ID)).toBe('idle');
    bench.wallOffset = 8 * 3_600_000;
    expect(bench.state(ID)).toBe('idle');
  });

  it('a journal nobody wrote to for a week is not believed', () => {
    const old = { ts: new Date(Date.now() - 8 * 86_400_000).toISOString() };
    const file = journal(line('stop', old));
    utimesSync(file, new Date(0), new Date(0));
    bench.journals().start();
    expect(bench.registry.list()).toEqual([]);
    expect(existsSync(file)).toBe(false);
    mkdirSync(path.dirname(file), { recursive: true });
    rmSync(path.dirname(file), { recursive: true });
  });
});
