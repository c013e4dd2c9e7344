import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RolloutBench } from './rollout-bench.ts';

let bench: RolloutBench;
beforeEach(() => {
  bench = new RolloutBench();
});
afterEach(() => bench.close());

describe('the captured rollouts', () => {
  const captures = path.join(import.meta.dirname, '../../../fixtures/codex/rollouts');
  const OF_OTHERS = ['tui-auto-review.2.jsonl', 'tui-subagent.2.jsonl'];

  it.each(readdirSync(captures))('are sessions at rest, or a part of another session: %s', async (name) => {
    const text = readFileSync(path.join(captures, name), 'utf8');
    const { payload } = JSON.parse(text.split('\n')[0] ?? '') as { payload: { id: string; cwd: string } };
    const file = bench.rollout(payload.id);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    bench.lock(payload.id, 'held');
    await bench.look();
    expect(bench.state(payload.id)).toBe(OF_OTHERS.includes(name) ? 'none' : 'idle');
    if (!OF_OTHERS.includes(name))
      expect(bench.row(payload.id)).toMatchObject({ cwd: payload.cwd, transcript_path: file });
  });
});
