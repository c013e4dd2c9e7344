import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Log } from '../../../daemon-lite/diagnostics/log.ts';
import { parseLogFilter } from '../../../daemon-lite/diagnostics/log-filter.ts';
import { type FrameSink, Subscriptions } from '../../../daemon-lite/server/subscriptions.ts';

/** A world with a snapshot, a change signal and a log, all in the hands of the test. */
class World {
  snapshot = 'one\n';
  snapshotsTaken = 0;
  readonly records: string[] = [];
  #listener: () => void = () => {};
  readonly subscriptions = new Subscriptions({
    snapshot: () => {
      this.snapshotsTaken++;
      return this.snapshot;
    },
    onChange: (listener) => {
      this.#listener = listener;
      return () => {
        this.#listener = () => {};
      };
    },
    tickMs: 10_000,
    log: new Log(parseLogFilter('trace'), (line) => this.records.push(line)).target('server'),
  });

  change(snapshot: string): void {
    this.snapshot = snapshot;
    this.#listener();
  }

  /** Changes without saying so, as heartbeats and time do. */
  changeSilently(snapshot: string): void {
    this.snapshot = snapshot;
  }
}

/** A client that takes frames while it is `reading`. */
class Client implements FrameSink {
  readonly frames: string[] = [];
  readonly buffers: Buffer[] = [];
  reading = true;

  write(frame: Buffer): boolean {
    this.buffers.push(frame);
    this.frames.push(frame.toString());
    return this.reading;
  }
}

let world: World;
let client: Client;
beforeEach(() => {
  vi.useFakeTimers();
  world = new World();
  client = new Client();
});
afterEach(() => {
  world.subscriptions.stop();
  vi.useRealTimers();
});

describe('a subscriber', () => {
  it('gets the present snapshot at once', () => {
    world.subscriptions.add(client);
    expect(client.frames).toEqual(['one\n']);
  });

  it('gets one frame for a burst of changes', () => {
    world.subscriptions.add(client);
    for (const snapshot of ['two\n', 'three\n', 'four\n']) world.change(snapshot);
    vi.advanceTimersByTime(200);
    expect(client.frames).toEqual(['one\n', 'four\n']);
    expect(world.snapshotsTaken).toBe(2);
  });

  it('gets nothing when a change leaves the snapshot as it was', () => {
    world.subscriptions.add(client);
    world.change('one\n');
    vi.advanceTimersByTime(200);
    expect(client.frames).toEqual(['one\n']);
  });

  it('gets what changed silently with the tick, and no tick without a difference', () => {
    world.subscriptions.add(client);
    world.changeSilently('two\n');
    vi.advanceTimersByTime(9_999);
    expect(client.frames).toEqual(['one\n']);
    vi.advanceTimersByTime(1);
    expect(client.frames).toEqual(['one\n', 'two\n']);
    vi.advanceTimersByTime(30_000);
    expect(client.frames).toHaveLength(2);
  });

  it('is compared with what it was sent itself', () => {
    world.subscriptions.add(client);
    world.changeSilently('two\n');
    const late = new Client();
    world.subscriptions.add(late);
    vi.advanceTimersByTime(10_000);
    expect(late.frames).toEqual(['two\n']);
    expect(client.frames).toEqual(['one\n', 'two\n']);
  });

  it('shares one serialisation with all others', () => {
    const other = new Client();
    world.subscriptions.add(client);
    world.subscriptions.add(other);
    world.change('two\n');
    vi.advanceTimersByTime(200);
    expect(client.buffers[1]).toBe(other.buffers[1]);
  });

  it('that reads slowly is spared everything but the newest snapshot', () => {
    client.reading = false;
    const subscriber = world.subscriptions.add(client);
    for (const snapshot of ['two\n', 'three\n', 'four\n']) {
      world.change(snapshot);
      vi.advanceTimersByTime(200);
    }
    expect(client.frames).toEqual(['one\n']);
    client.reading = true;
    subscriber.drained();
    expect(client.frames).toEqual(['one\n', 'four\n']);
  });

  it('that reads slowly gets nothing when everything is as it was sent last', () => {
    client.reading = false;
    const subscriber = world.subscriptions.add(client);
    world.change('two\n');
    vi.advanceTimersByTime(200);
    world.change('one\n');
    vi.advanceTimersByTime(200);
    subscriber.drained();
    expect(client.frames).toEqual(['one\n']);
  });

  it('costs nothing when it is gone', () => {
    world.subscriptions.remove(world.subscriptions.add(client), 'ClientEof');
    world.change('two\n');
    vi.advanceTimersByTime(60_000);
    expect(world.snapshotsTaken).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('diagnostics of a subscription', () => {
  it('tell trigger and result of each sample', () => {
    world.subscriptions.add(client);
    world.change('two\n');
    vi.advanceTimersByTime(200);
    vi.advanceTimersByTime(10_000);
    const samples = world.records.map((line) => line.slice(line.indexOf('subscription_sample')).trim());
    expect(samples).toEqual([
      'subscription_sample trigger=initial result=pushed',
      'subscription_sample trigger=change_notification result=pushed',
      'subscription_sample trigger=periodic_tick result=suppressed_identical',
    ]);
  });

  it('tell why it ended and what it was sent; only a failed write is a warning', () => {
    world.subscriptions.remove(world.subscriptions.add(client), 'ClientCancel');
    world.subscriptions.remove(world.subscriptions.add(client), 'WriteFailure');
    const ends = world.records.filter((line) => line.includes('subscription_ended'));
    expect(ends[0]).toMatch(/DEBUG .* reason=ClientCancel pushed=1 suppressed=0/);
    expect(ends[1]).toMatch(/ WARN .* reason=WriteFailure/);
  });
});
