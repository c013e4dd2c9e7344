import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LockProbe, ThreadLock } from '../../../../agents/codex/thread-locks.ts';
import { resolvePaths } from '../../../../contract/paths.ts';
import { Log } from '../../../../daemon-lite/diagnostics/log.ts';
import { parseLogFilter } from '../../../../daemon-lite/diagnostics/log-filter.ts';
import { CodexHomes } from '../../../../daemon-lite/feeds/codex-homes.ts';
import { LearnedHomes } from '../../../../daemon-lite/feeds/learned-homes.ts';
import { CodexBench, THREAD } from './codex-bench.ts';

const OTHER = '01a22c03-a982-7691-ba3e-a79f9cb47d38';

let first: CodexBench;
let second: CodexBench;
let home: string;
let homes: CodexHomes;
let lockState: ThreadLock['state'];

beforeEach(() => {
  first = new CodexBench();
  second = new CodexBench();
  home = mkdtempSync(path.join(os.tmpdir(), 'codex-homes-'));
  lockState = 'held';
  homes = open();
});
afterEach(async () => {
  await homes.stop();
  first.close();
  second.close();
  rmSync(home, { recursive: true, force: true });
});

function open(): CodexHomes {
  const around = {
    env: { CODEX_HOME: first.codexHome },
    platform: 'linux' as const,
    home,
    uid: process.getuid?.() ?? 0,
  };
  const { ingest, registry, clock } = first;
  const log = new Log(parseLogFilter('debug'), () => {});
  const probe: LockProbe = { probe: (files) => files.map(() => ({ state: lockState, holder: 1 })) };
  const surroundings = { ingest, registry, clock, log, paths: resolvePaths(around), around };
  return new CodexHomes({ surroundings, homes: new LearnedHomes(path.join(home, 'homes.json')), probe });
}

describe('the Codex homes', () => {
  it('begin with the one of the environment', () => {
    first.write(first.rollout());
    first.lockFile(THREAD);
    homes.start();
    expect(first.state()).toBe('idle');
    expect(homes.detail()).toMatchObject({ [first.codexHome]: { live: 1, locks: 1 } });
  });

  it('are looked at again and again', async () => {
    homes.start();
    first.write(first.rollout());
    first.lockFile(THREAD);
    await vi.waitFor(() => expect(first.state()).toBe('idle'), { timeout: 5_000 });
    lockState = 'free';
    await vi.waitFor(() => expect(first.state()).toBe('ended'), { timeout: 10_000 });
  });

  it('are learned from the rollouts that sightings name, and remembered', async () => {
    second.write(second.rollout(OTHER));
    second.lockFile(OTHER);
    homes.start();
    expect(first.state(OTHER)).toBe('none');
    await first.ingest.observe(
      { session_id: THREAD, agent: 'codex', event: 'stop', transcript_path: second.rollout(THREAD) },
      'socket',
    );
    homes.look();
    for (let looks = 0; looks < 5; looks += 1) homes.look();
    expect(first.state(OTHER)).toBe('idle');

    await homes.stop();
    await vi.waitFor(() =>
      expect(new LearnedHomes(path.join(home, 'homes.json')).all('codex')).toEqual([second.codexHome]),
    );
    homes = open();
    homes.start();
    expect(Object.keys(homes.detail())).toEqual([first.codexHome, second.codexHome]);
  });

  it('are not learned from other agents, or from paths of another shape', async () => {
    homes.start();
    const file = second.rollout(THREAD);
    await first.ingest.observe({ session_id: 'a', event: 'stop', transcript_path: file }, 'socket');
    await first.ingest.observe(
      { session_id: 'b', agent: 'codex', event: 'stop', transcript_path: '/x/y.jsonl' },
      'socket',
    );
    expect(Object.keys(homes.detail())).toEqual([first.codexHome]);
  });

  it('prove by its lock that a journaled session lives or is dead', () => {
    homes.start();
    expect(homes.lockState(THREAD)).toBe('absent');
    first.lockFile(THREAD);
    expect(homes.lockState(THREAD)).toBe('held');
    lockState = 'free';
    expect(homes.lockState(THREAD)).toBe('free');
  });

  it('prove it by the absence of the lock only where the rollout lies', () => {
    first.lockFile(OTHER);
    first.write(first.rollout());
    homes.start();
    expect(homes.lockState(THREAD)).toBe('free');
    expect(homes.lockState('01a22c03-0000-7000-8000-000000000000')).toBe('absent');
  });

  it('leave out the observer of the shared server when the settings say so', () => {
    mkdirSync(path.join(home, '.omni-dev'));
    writeFileSync(path.join(home, '.omni-dev', 'settings.json'), '{"codex":{"observeSharedServer":false}}');
    homes.start();
    expect(homes.detail()).toMatchObject({ [first.codexHome]: { shared_server: { attached: false } } });
  });
});
