import { mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CodexRollouts } from '../../../../daemon-lite/feeds/codex-rollouts.ts';
import { THREAD } from './codex-bench.ts';
import { RolloutBench } from './rollout-bench.ts';

const OTHER = '01a22c03-a982-7691-ba3e-a79f9cb47d38';
const MINUTE = 60_000;

let bench: RolloutBench;
let feed: CodexRollouts;

beforeEach(() => {
  bench = new RolloutBench();
  feed = bench.feed;
});
afterEach(() => bench.close());

const look = () => bench.look();

const lookAtLocks = () => {
  bench.later += 1_000;
  feed.lookAtLocks(bench.reading);
};

describe('a rollout', () => {
  it('of a loaded thread is a session at rest, with folder and rollout', async () => {
    const file = bench.write(bench.rollout());
    bench.lock(THREAD, 'held');
    await look();
    expect(bench.row()).toMatchObject({
      state: 'idle',
      agent: 'codex',
      feed: 'rollout',
      cwd: '/p',
      transcript_path: file,
      last_event: 'transcript_discovered',
    });
  });

  it('of a loaded thread is found within a second of its first turn', async () => {
    bench.write(bench.rollout(OTHER));
    await look();
    bench.lock(THREAD, 'held');
    lookAtLocks();
    expect(bench.state()).toBe('none');
    bench.write(bench.rollout());
    lookAtLocks();
    expect(bench.state()).toBe('idle');
  });

  it('of a loaded thread is found however old it is: it was resumed, or the daemon was away', async () => {
    const file = bench.write(bench.rollout(THREAD, '2025/02/03'));
    bench.age(file, 400 * 24 * 60 * MINUTE);
    await look();
    expect(bench.state()).toBe('none');
    bench.lock(THREAD, 'held');
    lookAtLocks();
    expect(bench.state()).toBe('idle');
  });

  it.each(['free', 'absent'] as const)('whose lock is %s is not listed', async (state) => {
    bench.write(bench.rollout());
    bench.lock(THREAD, state);
    await look();
    expect(bench.state()).toBe('none');
  });

  it.each([
    ['the locks cannot be told', () => bench.lock(THREAD, 'unknown')],
    [
      'there are no locks',
      () => {
        bench.supported = false;
      },
    ],
  ])('is listed while it is recent when %s', async (_, arrange) => {
    arrange();
    bench.write(bench.rollout());
    bench.age(bench.write(bench.rollout(OTHER)), 6 * MINUTE);
    await look();
    expect(bench.state()).toBe('idle');
    expect(bench.state(OTHER)).toBe('none');
  });

  it.each([
    ['a subagent', { source: { subagent: { thread_spawn: { parent_thread_id: OTHER } } } }],
    [
      'an automatic review',
      { source: { subagent: { other: 'guardian' } }, thread_source: 'guardian_review' },
    ],
  ])('of %s is no session', async (_, payload) => {
    bench.write(bench.rollout(), payload);
    bench.lock(THREAD, 'held');
    await look();
    await look();
    expect(bench.state()).toBe('none');
  });

  it('whose first line is not whole yet is looked at again', async () => {
    const file = bench.write(bench.rollout());
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.slice(0, 40));
    bench.lock(THREAD, 'held');
    await look();
    expect(bench.state()).toBe('none');
    writeFileSync(file, whole);
    lookAtLocks();
    expect(bench.state()).toBe('idle');
  });

  it('must be what its name says: a plain file of this very thread', async () => {
    bench.write(bench.rollout(), { id: OTHER });
    const link = bench.rollout(OTHER);
    symlinkSync(bench.rollout(), link);
    mkdirSync(bench.rollout('01a22c03-0000-7000-8000-000000000001'));
    writeFileSync(`${bench.rollout('01a22c03-0000-7000-8000-000000000002')}.zst`, 'compressed');
    writeFileSync(path.join(path.dirname(link), 'notes.jsonl'), '{}');
    bench.supported = false;
    await look();
    expect(bench.registry.list()).toEqual([]);
  });

  it('that a fork wrote is a session beside its parent', async () => {
    bench.write(bench.rollout());
    bench.write(bench.rollout(OTHER), { forked_from_id: THREAD, history_base: { thread_id: THREAD } });
    bench.lock(THREAD, 'held');
    bench.lock(OTHER, 'held');
    await look();
    expect([bench.state(), bench.state(OTHER)]).toEqual(['idle', 'idle']);
  });
});

describe('a session', () => {
  beforeEach(async () => {
    bench.write(bench.rollout());
    bench.lock(THREAD, 'held');
    await look();
  });

  it('ends within a second when Codex unloads its thread', () => {
    bench.lock(THREAD, 'absent');
    lookAtLocks();
    expect(bench.state()).toBe('ended');
  });

  it.each(['free', 'unknown'] as const)(
    'ends when its process was killed and nobody holds its lock: %s',
    (state) => {
      bench.lock(THREAD, state);
      lookAtLocks();
      expect(bench.state()).toBe('idle');
      lookAtLocks();
      expect(bench.state()).toBe('ended');
    },
  );

  it('does not end because one reading missed the lock', () => {
    bench.lock(THREAD, 'free');
    lookAtLocks();
    bench.lock(THREAD, 'held');
    lookAtLocks();
    bench.lock(THREAD, 'free');
    lookAtLocks();
    expect(bench.state()).toBe('idle');
  });

  it('ends when it is archived, and is not found again in the archive', async () => {
    const archive = path.join(bench.codexHome, 'archived_sessions');
    mkdirSync(archive);
    renameSync(bench.rollout(), path.join(archive, path.basename(bench.rollout())));
    await look();
    expect(bench.state()).toBe('ended');
    bench.later += MINUTE;
    await look();
    expect(bench.state()).toBe('none');
  });

  it('never ages out while its lock is held', async () => {
    for (let minutes = 0; minutes < 30; minutes += 1) {
      bench.later += MINUTE;
      lookAtLocks();
    }
    expect(bench.state()).toBe('idle');
    expect(bench.row()?.last_event).toBe('transcript_discovered');
  });

  it('is listed again soon after its end when the same thread is loaded anew', async () => {
    bench.lock(THREAD, 'absent');
    lookAtLocks();
    bench.lock(THREAD, 'held');
    lookAtLocks();
    expect(bench.state()).toBe('ended');
    await vi.waitFor(async () => {
      await look();
      expect(bench.state()).toBe('idle');
    });
  });
});

describe('a session without locks', () => {
  beforeEach(async () => {
    bench.supported = false;
    bench.write(bench.rollout());
    await look();
  });

  it('lives while its rollout grows, and ages out when it rests', async () => {
    for (let minutes = 0; minutes < 10; minutes += 1) {
      bench.later += MINUTE;
      bench.append(bench.rollout(), '{"type":"response_item"}');
      await look();
    }
    expect(bench.state()).toBe('idle');
    bench.later += 6 * MINUTE;
    await look();
    expect(bench.state()).toBe('none');
  });
});

describe('the turns of a session', () => {
  const start = () => bench.turn('task_started');

  beforeEach(async () => {
    bench.write(bench.rollout(), {}, [bench.turn('task_complete', Date.now() - MINUTE)]);
    bench.lock(THREAD, 'held');
    await look();
  });

  it('are seen to run and to end', async () => {
    bench.append(bench.rollout(), start(), '{"type":"response_item"}');
    await look();
    expect(bench.state()).toBe('working');
    bench.append(bench.rollout(), bench.turn('task_complete'));
    await look();
    expect(bench.state()).toBe('idle done');
    bench.append(bench.rollout(), start(), bench.turn('turn_aborted'));
    await look();
    expect(bench.state()).toBe('idle done');
  });

  it('are told apart by how they ended', async () => {
    bench.append(bench.rollout(), start());
    await look();
    bench.append(bench.rollout(), bench.turn('turn_aborted'));
    await look();
    expect(bench.state()).toBe('idle interrupted');
    bench.append(bench.rollout(), start());
    await look();
    bench.append(
      bench.rollout(),
      bench.turn('task_complete', bench.clock.wall(), { error: { message: 'x' } }),
    );
    await look();
    expect(bench.state()).toBe('idle failed');
  });

  it('do not end a wait that a hook reported, and are not mixed up with it', async () => {
    bench.append(bench.rollout(), start());
    await look();
    bench.later += 1_000;
    const stamp = { ts: new Date(bench.clock.wall()).toISOString(), seq: '1-1' };
    bench.registry.observe({
      session_id: THREAD,
      agent: 'codex',
      event: { notification: 'permission_prompt' },
      stamp,
    });
    bench.append(bench.rollout(), '{"type":"response_item"}');
    await look();
    expect(bench.state()).toBe('waiting_for_permission');
  });

  it('lose against a prompt that came after them', async () => {
    bench.append(bench.rollout(), start());
    await look();
    const ended = bench.turn('task_complete');
    bench.later += 60_000;
    const stamp = { ts: new Date(bench.clock.wall()).toISOString(), seq: '1-2' };
    bench.registry.observe({ session_id: THREAD, agent: 'codex', event: 'user_prompt_submit', stamp });
    bench.append(bench.rollout(), ended);
    await look();
    expect(bench.state()).toBe('working');
  });

  it('never bring back a session that has ended', async () => {
    bench.append(bench.rollout(), start());
    await look();
    bench.registry.end({ session_id: THREAD });
    bench.append(bench.rollout(), bench.turn('task_complete'));
    await look();
    expect(bench.state()).toBe('ended');
  });
});

describe('a turn that was cut off', () => {
  it('by a kill is over when the thread is loaded again', async () => {
    bench.write(bench.rollout(), {}, [bench.turn('task_started', Date.now() - MINUTE)]);
    bench.lock(THREAD, 'held', { madeAt: bench.clock.wall() });
    await look();
    expect(bench.state()).toBe('idle');
  });

  it('by nothing goes on when the daemon comes back', async () => {
    bench.lock(THREAD, 'held', { madeAt: bench.clock.wall() - MINUTE });
    bench.write(bench.rollout(), {}, [bench.turn('task_started', Date.now() - 30_000)]);
    await look();
    expect(bench.state()).toBe('working');
  });
});

it('keeps nothing of what a rollout says', async () => {
  bench.write(bench.rollout(), { base_instructions: { text: 's3cret' } }, [
    JSON.stringify({ type: 'event_msg', payload: { type: 'item_completed', item: { text: 's3cret' } } }),
    bench.turn('task_complete', Date.now(), { last_agent_message: 's3cret' }),
  ]);
  bench.lock(THREAD, 'held');
  await look();
  expect(statSync(bench.rollout()).size).toBeGreaterThan(0);
  expect(JSON.stringify([bench.registry.list(), bench.lines, feed.detail()])).not.toContain('s3cret');
});
