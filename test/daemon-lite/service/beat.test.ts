import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BEAT_MS, every } from '../../../daemon-lite/service/beat.ts';

const stops: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

const repeat = (ms: number, run: () => void) => {
  const stop = every(ms, run);
  stops.push(stop);
  return stop;
};

describe('the beat', () => {
  it('runs each task in its own rhythm', () => {
    const counts = { third: 0, second: 0, five: 0, quick: 0 };
    repeat(BEAT_MS, () => counts.third++);
    repeat(1_000, () => counts.second++);
    repeat(5_000, () => counts.five++);
    repeat(100, () => counts.quick++);
    vi.advanceTimersByTime(60_000);
    expect(counts.third).toBeGreaterThanOrEqual(179);
    expect(counts.third).toBeLessThanOrEqual(181);
    expect(counts.second).toBeGreaterThanOrEqual(59);
    expect(counts.second).toBeLessThanOrEqual(61);
    expect(counts.five).toBeGreaterThanOrEqual(11);
    expect(counts.five).toBeLessThanOrEqual(13);
    expect(counts.quick).toBeGreaterThan(500);
  });

  it('wakes up once for everything, whenever it was asked for', () => {
    const wakes = new Set<number>();
    const note = () => wakes.add(Math.round(performance.now()));
    repeat(BEAT_MS, note);
    for (const ms of [1_000, 1_000, 2_000, 5_000, 10_000]) {
      vi.advanceTimersByTime(130);
      repeat(ms, note);
    }
    wakes.clear();
    vi.advanceTimersByTime(10_000);
    expect(wakes.size).toBeLessThanOrEqual(31);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('has no timer while nobody wants anything', () => {
    const stop = repeat(1_000, () => {});
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets a task stop itself and others while they run', () => {
    const ran: string[] = [];
    const stopFirst = repeat(1_000, () => {
      ran.push('first');
      stopFirst();
      stopSecond();
    });
    const stopSecond = repeat(1_000, () => ran.push('second'));
    vi.advanceTimersByTime(5_000);
    expect(ran).toEqual(['first']);
  });

  it('gives every task its turn when one fails', async () => {
    const failures: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => failures.push(error));
    const ran: string[] = [];
    try {
      repeat(1_000, () => {
        ran.push('failing');
        throw new Error('defect');
      });
      repeat(1_000, () => ran.push('other'));
      vi.advanceTimersByTime(1_200);
      vi.useRealTimers();
      await vi.waitFor(() => expect(failures).toHaveLength(1));
    } finally {
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
    expect(ran).toEqual(['failing', 'other']);
  });
});
