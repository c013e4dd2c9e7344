import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AwakeClock } from '../../../daemon-lite/service/awake-clock.ts';
import { recentlyRunning, recentProcesses } from '../../../daemon-lite/service/recent-processes.ts';
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

  it('E11: credits a night of sleep with two seconds, so that waking up ends nothing', () => {
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
  let settled: number;
  let dueIn: (number | undefined)[];
  let speak: () => void;
  let timer: SettleTimer;
  beforeEach(() => {
    settled = 0;
    dueIn = [];
    timer = new SettleTimer({
      settle: () => dueIn[settled++],
      onDecision: (listener) => {
        speak = () => listener({ kind: 'removed', reason: 'session_ttl', id: 's1' });
        return () => {};
      },
    });
  });
  afterEach(() => timer.stop());

  it('is applied when it is due', () => {
    dueIn = [300, 60_000];
    timer.start();
    expect(settled).toBe(1);
    vi.advanceTimersByTime(299);
    expect(settled).toBe(1);
    vi.advanceTimersByTime(1);
    expect(settled).toBe(2);
    vi.advanceTimersByTime(59_999);
    expect(settled).toBe(2);
    vi.advanceTimersByTime(1);
    expect(settled).toBe(3);
  });

  it('is not even looked for while nobody speaks and nothing is due', () => {
    timer.start();
    vi.advanceTimersByTime(3_600_000);
    expect(settled).toBe(1);
  });

  it('may come nearer with what somebody says, which is noticed within a good second', () => {
    dueIn = [undefined, 400];
    timer.start();
    vi.advanceTimersByTime(10_000);
    speak();
    vi.advanceTimersByTime(1_200);
    expect(settled).toBe(2);
    vi.advanceTimersByTime(400);
    expect(settled).toBe(3);
  });

  it('is left alone once stopped', () => {
    dueIn = [300];
    timer.start();
    timer.stop();
    vi.advanceTimersByTime(10_000);
    expect(settled).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
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

describe('whether a process runs', () => {
  it('is asked of the kernel once in a moment, however many want to know', () => {
    let now = 0;
    const asked: number[] = [];
    const running = recentlyRunning(
      (pid) => asked.push(pid) > 0,
      () => now,
    );
    expect([running(1), running(1), running(2)]).toEqual([true, true, true]);
    expect(asked).toEqual([1, 2]);
    now = 50;
    expect(running(1)).toBe(true);
    expect(asked).toEqual([1, 2, 1]);
  });

  it('is asked again when it did not: a death is never held back', () => {
    let asked = 0;
    const running = recentlyRunning(
      () => {
        asked++;
        return false;
      },
      () => 0,
    );
    expect([running(1), running(1)]).toEqual([false, false]);
    expect(asked).toBe(2);
  });
});
