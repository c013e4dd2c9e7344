import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FolderWatch } from '../../../daemon-lite/feeds/folder-watch.ts';
import { FeedBench } from './feed-bench.ts';

let bench: FeedBench;

beforeEach(() => {
  bench = new FeedBench();
});
afterEach(() => bench.close());

const until = (check: () => void) => vi.waitFor(check, { timeout: 8_000, interval: 20 });

describe('transcripts', () => {
  it('show a session by its file, and work when the file grows', async () => {
    const file = bench.write('projects/-w/s1.jsonl', '{}\n');
    bench.transcripts().start();
    expect(bench.registry.list()).toMatchObject([{ session_id: 's1', state: 'idle', transcript_path: file }]);
    appendFileSync(file, '{}\n');
    await until(() => expect(bench.state('s1')).toBe('working'));
  });

  it('B13: in a project folder that appears later are found, whatever its name', async () => {
    mkdirSync(path.join(bench.folder, 'projects'));
    bench.transcripts().start();
    bench.write('projects/-later/s2.jsonl', '{}\n');
    await until(() => expect(bench.state('s2')).toBe('idle'));
  });

  it('of subagents, folders and files elsewhere are no sessions', () => {
    bench.write('projects/-w/s1/subagents/agent-a1.jsonl', '{}\n');
    bench.write('projects/-w/agent-a2.jsonl', '{}\n');
    bench.write('projects/loose.jsonl', '{}\n');
    mkdirSync(path.join(bench.folder, 'projects/-w/dir.jsonl'));
    bench.transcripts().start();
    expect(bench.registry.list()).toEqual([]);
  });

  it('A20, A23: growth never overrides a wait or an end that hooks reported', async () => {
    const file = bench.write('projects/-w/s1.jsonl', '{}\n');
    const feed = bench.transcripts();
    feed.start();
    bench.registry.observe({ session_id: 's1', event: { notification: 'permission_prompt' } });
    appendFileSync(file, '{}\n');
    feed.lookAtAll();
    expect(bench.state('s1')).toBe('waiting_for_permission');
    bench.registry.end({ session_id: 's1' });
    appendFileSync(file, '{}\n');
    feed.lookAtAll();
    expect(bench.state('s1')).toBe('ended');
  });
});

describe('E7: watches that cannot be had', () => {
  it('are reported with their code, retried, and leave polling to the feed', () => {
    const codes: string[] = [];
    let refuse = true;
    const watch = new FolderWatch({
      folder: bench.folder,
      changed: () => {},
      failed: (code) => codes.push(code),
      watchFolder: (() => {
        if (refuse) throw Object.assign(new Error('no more watches'), { code: 'ENOSPC' });
        return { on: () => {}, close: () => {} };
      }) as never,
    });
    expect(watch.native).toBe(false);
    expect(codes).toEqual(['ENOSPC']);
    refuse = false;
    watch.reopen();
    expect(watch.native).toBe(true);
    watch.close();
  });
});
