import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FramePeriod, Subscription } from '../../contract/subscription.ts';
import { FakeDaemon } from '../support/fake-daemon.ts';
import { until } from '../support/until.ts';

let daemon: FakeDaemon;
let subscription: Subscription | undefined;
let ids: string[];
let refusals: string[];

function subscribe(everyMs?: FramePeriod): void {
  subscription = new Subscription(
    daemon.socket,
    {
      snapshot: ({ sessions }) => ids.push(sessions.map(({ session_id }) => session_id).join()),
      unsupported: (reason) => refusals.push(reason),
    },
    everyMs === undefined ? {} : { everyMs },
  );
}

const row = (session_id: string) => ({ session_id, state: 'idle' });
const subscribes = () => daemon.requests.filter(({ op }) => op === 'subscribe').length;

beforeEach(async () => {
  daemon = await new FakeDaemon().listen();
  ids = [];
  refusals = [];
});

afterEach(async () => {
  subscription?.close();
  await daemon.close();
});

describe('a subscription with a period', () => {
  it('gives the first frame at once and then the newest of each period', async () => {
    daemon.sessions = [row('first')];
    subscribe(400);
    await until(() => ids.length === 1);
    for (let count = 0; count < 100; count += 1) daemon.push([row(`s${count}`)]);
    await until(() => ids.at(-1) === 's99');
    expect(ids[0]).toBe('first');
    expect(ids.length).toBeLessThan(6);
  });

  it('may let the period grow with the frames', async () => {
    daemon.sessions = [row('small')];
    subscribe((frameBytes) => (frameBytes > 1_000 ? 60_000 : 10));
    await until(() => ids.length === 1);
    daemon.push([row('still small')]);
    await until(() => ids.length === 2);
    daemon.push([row('large '.repeat(300))]);
    await until(() => ids.length === 3);
    daemon.push([row('after the large one')]);
    await sleep(400);
    expect(ids).toHaveLength(3);
  });

  it('leaves unread what comes within a period, so that a daemon can merge it', async () => {
    subscribe(60_000);
    await until(() => ids.length === 1);
    const large = Array.from({ length: 2_000 }, (_, index) => row(`a session id of some length ${index}`));
    for (let count = 0; count < 50; count += 1) daemon.push(large);
    await sleep(300);
    expect(daemon.unsentBytes).toBeGreaterThan(1_000_000);
    expect(ids).toHaveLength(1);
  });

  it('still learns of a daemon that went away in the middle of one', async () => {
    subscribe(100);
    await until(() => ids.length === 1);
    await daemon.stop();
    await daemon.listen();
    await until(() => subscribes() === 2);
  });
});

describe('a subscription that was refused', () => {
  it('keeps its connection and asks that daemon no more', async () => {
    daemon.streams = false;
    subscribe();
    await until(() => refusals.length === 1);
    await sleep(1_000);
    expect(subscribes()).toBe(1);
  });

  it('is in no hurry with a daemon that hangs up on it', async () => {
    daemon.streams = false;
    subscribe();
    await until(() => refusals.length === 1);
    await daemon.stop();
    await daemon.listen();
    await sleep(1_000);
    expect(subscribes()).toBe(1);
  });

  it('asks the next daemon when that one has lived for a while', async () => {
    daemon.streams = false;
    subscribe();
    await until(() => refusals.length === 1);
    await sleep(2_200);
    await daemon.stop();
    daemon.streams = true;
    daemon.sessions = [row('streamed')];
    await daemon.listen();
    await until(() => ids.at(-1) === 'streamed');
  });
});
