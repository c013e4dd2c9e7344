import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../../contract/messages.ts';
import { Diagnostics } from '../../../editors/vscode/diagnostics.ts';
import { type FeedStatus, SessionFeed } from '../../../editors/vscode/feed/session-feed.ts';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { until } from '../../support/until.ts';
import { MemoryLog } from '../memory-log.ts';

const row = (session_id: string) => ({ session_id, state: 'idle' });

let daemon: FakeDaemon;
let log: MemoryLog;
let feed: SessionFeed | undefined;
let snapshots: string[][];
let statuses: FeedStatus[];
let newDaemons: number;

function open(everyMs = 0, graceMs = 200): SessionFeed {
  feed = new SessionFeed({
    socket: daemon.socket,
    pollMs: 50,
    everyMs,
    graceMs,
    diagnostics: new Diagnostics(log),
    snapshot: (sessions: SessionEntry[]) => snapshots.push(sessions.map(({ session_id }) => session_id)),
    status: (status) => statuses.push(status),
    newDaemon: () => {
      newDaemons += 1;
    },
  });
  return feed;
}

beforeEach(() => {
  daemon = new FakeDaemon();
  log = new MemoryLog();
  snapshots = [];
  statuses = [];
  newDaemons = 0;
});

afterEach(async () => {
  feed?.close();
  await daemon.close();
});

describe('a daemon that streams', () => {
  it('is live from its first frame, and every change comes through', async () => {
    daemon.sessions = [row('a')];
    await daemon.listen();
    open();
    await until(() => snapshots.length === 1);
    daemon.push([row('a'), row('b')]);
    await until(() => snapshots.length === 2);
    expect(snapshots).toEqual([['a'], ['a', 'b']]);
    expect(statuses).toEqual(['live']);
  });

  it('loses nothing by a frame that is none: the last snapshot stays, and the log says why without its text', async () => {
    await daemon.listen();
    open();
    await until(() => snapshots.length === 1);
    daemon.pushRaw('{"secret": "of somebody"\n{"ok":true,"payload":{"secret":1}}\n');
    daemon.push([row('a')]);
    await until(() => snapshots.length === 2);
    expect(log.text()).toContain('subscribe_bad_frame: a frame is not a reply');
    expect(log.text()).toContain('subscribe_bad_frame: a frame holds no sessions');
    expect(log.text()).not.toContain('secret');
  });

  it('is read at the pace of the screen when it changes faster, and the newest snapshot wins', async () => {
    await daemon.listen();
    open(250);
    await until(() => snapshots.length === 1);
    for (let count = 0; count < 200; count += 1) daemon.push([row(`s${count}`)]);
    await until(() => snapshots.at(-1)?.[0] === 's199');
    expect(snapshots.length).toBeLessThan(20);
  });

  it('may be away for less than the grace without a word of it', async () => {
    await daemon.listen();
    open(0, 30_000);
    await until(() => statuses.includes('live'));
    await daemon.stop();
    daemon.sessions = [row('b')];
    await daemon.listen();
    await until(() => snapshots.at(-1)?.[0] === 'b');
    expect(statuses).toEqual(['live']);
  });

  it('is unreachable when it stays away, and live again by itself', async () => {
    daemon.sessions = [row('a')];
    await daemon.listen();
    open();
    await until(() => statuses.includes('live'));
    await daemon.stop();
    await until(() => statuses.includes('unreachable'));
    daemon.sessions = [row('b')];
    await daemon.listen();
    await until(() => snapshots.at(-1)?.[0] === 'b');
    expect(statuses).toEqual(['live', 'unreachable', 'live']);
    expect(newDaemons).toBe(1);
  });
});

describe('a daemon that is not there', () => {
  it('is unreachable after the grace, said once in the log, and found when it starts', async () => {
    open();
    await until(() => statuses.includes('unreachable'));
    await until(() => log.of('debug').length > 0);
    expect(log.of('warn')).toEqual(['subscribe_disconnected: trying again']);
    await daemon.listen();
    feed?.retry();
    await until(() => statuses.includes('live'));
  });
});

describe('a daemon that cannot stream', () => {
  it('is polled with list, asked to subscribe once, and told apart from one that is away', async () => {
    daemon.streams = false;
    daemon.sessions = [row('a')];
    await daemon.listen();
    open();
    await until(() => snapshots.length >= 3);
    expect(statuses).toEqual(['polling']);
    expect(daemon.requests.filter(({ op }) => op === 'subscribe')).toHaveLength(1);
    expect(log.of('warn')).toEqual([
      'subscribe_unsupported: unknown sessions op: subscribe; polling list instead',
    ]);
  });

  it('is asked again when it was restarted, for a restart may be an upgrade', async () => {
    daemon.streams = false;
    await daemon.listen();
    open();
    await until(() => statuses.includes('polling'));
    // Longer than a daemon needs to hang up on a client it refused.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await daemon.stop();
    daemon.streams = true;
    daemon.sessions = [row('streamed')];
    await daemon.listen();
    await until(() => statuses.at(-1) === 'live');
    const polls = () => daemon.requests.filter(({ op }) => op === 'list').length;
    const before = polls();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(polls(), 'polls after the stream is back').toBe(before);
  });

  it('that goes away is unreachable, also where only list said so', async () => {
    daemon.streams = false;
    await daemon.listen();
    open();
    await until(() => statuses.includes('polling'));
    await daemon.stop();
    await until(() => statuses.includes('unreachable'));
    await daemon.listen();
    await until(() => statuses.at(-1) === 'polling');
  });
});

it('a closed feed says nothing more', async () => {
  await daemon.listen();
  open().close();
  daemon.push([row('a')]);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(snapshots).toEqual([]);
  expect(statuses).toEqual([]);
});
