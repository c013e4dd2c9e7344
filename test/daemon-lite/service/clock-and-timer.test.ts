import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AwakeClock } from '../../../daemon-lite/service/awake-clock.ts';
import { recentProcesses } from '../../../daemon-lite/service/recent-processes.ts';
import { SettleTimer } from '../../../daemon-lite/service/settle-timer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('awake time', () => {
  let now = 0;
  let clock: AwakeClock;
  beforeEach(() => {
    now = 1_000;
    clock = new AwakeClock(() => now);
  });

  it('goes with the monotonic clock while it is counted', () => {
    for (let second = 0; second < 60; second++) {
      now += 1_000;
      clock.tick();
    }
    expect(clock.awake()).toBe(60_000);
    now += 500;
    expect(clock.awake()).toBe(60_500);
  });

  it('credits a night of sleep with two seconds', () => {
    now += 8 * 3_600_000;
    expect(clock.awake()).toBe(2_000);
    clock.tick();
    expect(clock.awake()).toBe(2_000);
    now += 1_000;
    expect(clock.awake()).toBe(3_000);
  });

  it('never goes back, also when the platform clock does', () => {
    now += 1_500;
    clock.tick();
    now -= 10_000;
    expect(clock.awake()).toBe(1_500);
    clock.tick();
    now += 100;
    expect(clock.awake()).toBe(1_600);
  });

  it('is counted by a timer once started', () => {
    clock.start();
    for (let second = 0; second < 10; second++) {
      now += 1_000;
      vi.advanceTimersByTime(1_000);
    }
    expect(clock.awake()).toBe(10_000);
    clock.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('what time alone changes', () => {
  it('is applied when it is due, and looked for at least every second', () => {
    const dueIn = [300, undefined, 60_000, 0];
    let settled = 0;
    const timer = new SettleTimer({ settle: () => dueIn[settled++] });
    timer.start();
    expect(settled).toBe(1);
    vi.advanceTimersByTime(300);
    expect(settled).toBe(2);
    vi.advanceTimersByTime(999);
    expect(settled).toBe(2);
    vi.advanceTimersByTime(1);
    expect(settled).toBe(3);
    vi.advanceTimersByTime(1_000);
    expect(settled).toBe(4);
    timer.stop();
    vi.advanceTimersByTime(10_000);
    expect(settled).toBe(4);
  });
});

describe('a look at a process', () => {
  it('is good for a moment and is then taken again', () => {
    let now = 0;
    let looks = 0;
    const view = recentProcesses({ look: () => ({ alive: ++looks === 1 }) }, () => now);
    expect(view.look(1)).toEqual({ alive: true });
    now = 99;
    expect(view.look(1)).toEqual({ alive: true });
    now = 100;
    expect(view.look(1)).toEqual({ alive: false });
    expect(looks).toBe(2);
  });

  it('that found nobody is good for longer: a process that is gone stays gone', () => {
    let now = 0;
    let looks = 0;
    const dead = () => {
      looks++;
      return { alive: false };
    };
    const view = recentProcesses({ look: dead }, () => now);
    view.look(1);
    now = 999;
    view.look(1);
    expect(looks).toBe(1);
    now = 1_000;
    view.look(1);
    expect(looks).toBe(2);
  });
});
