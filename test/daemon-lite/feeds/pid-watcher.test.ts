import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProcessEntry } from '../../../agents/system/process-entry.ts';
import { PidWatcher } from '../../../daemon-lite/feeds/pid-watcher.ts';

const PID = 4_711;
let watched: number[];
let running: Set<number>;
let ticks: (string | null | undefined)[];
let watcher: PidWatcher;

beforeEach(() => {
  watched = [PID];
  running = new Set([PID]);
  ticks = [];
  const entry: ProcessEntry = {
    pid: PID,
    parent: 1_000,
    token: 'born',
    name: 'agent',
    zombie: false,
    terminal: true,
  };
  watcher = new PidWatcher({
    registry: {
      watchedPids: () => watched,
      pidTick(found) {
        ticks.push(found.get(PID));
        return [];
      },
    },
    table: {
      refresh: () => Promise.resolve(),
      read: (pid) => (running.has(pid) ? entry : null),
      argumentsOf: () => undefined,
    },
    running: (pid) => running.has(pid),
  });
});

/** A glance, and the poll that it may have begun. */
async function glance(times = 1): Promise<void> {
  for (let n = 0; n < times; n++) {
    watcher.glance();
    await setImmediate();
  }
}

describe('between two polls', () => {
  it('a process is looked at once it has run for two glances, so that its end is known for an end', async () => {
    await glance();
    expect(ticks).toEqual([]);
    await glance();
    expect(ticks).toEqual(['born']);
    await glance();
    expect(ticks).toEqual(['born']);
  });

  it('the end of a process that was seen running is noticed by the next glance', async () => {
    await glance(2);
    running.clear();
    await glance();
    expect(ticks).toEqual(['born', undefined]);
    await glance();
    expect(ticks).toHaveLength(2);
  });

  it('a shell that is gone before the next glance is not taken for an agent', async () => {
    running.clear();
    await glance(3);
    expect(ticks).toEqual([]);
  });

  it('a process that nobody watches any more is forgotten', async () => {
    await glance(2);
    watched = [];
    await glance();
    running.clear();
    watched = [PID];
    await glance();
    expect(ticks).toEqual(['born']);
  });
});
