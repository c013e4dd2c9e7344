import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../editors/vscode/diagnostics.ts';
import { WindowReporter } from '../../../editors/vscode/feed/window-reporter.ts';
import { type FakeAnswer, FakeDaemon } from '../../support/fake-daemon.ts';
import { until } from '../../support/until.ts';
import { MemoryLog } from '../memory-log.ts';

let daemon: FakeDaemon;
let log: MemoryLog;
let reporter: WindowReporter;
let counts: { folders: string[]; tabs: number; terminals: number };

const accept: FakeAnswer = () => ({ ok: true, payload: { ok: true } });

async function open(answer: FakeAnswer, heartbeatMs = 60_000): Promise<void> {
  daemon = await new FakeDaemon(answer).listen();
  start(heartbeatMs);
}

function start(heartbeatMs = 60_000): void {
  reporter = new WindowReporter({
    socket: daemon.socket,
    key: 'window-1',
    heartbeatMs,
    closeMs: 300,
    diagnostics: new Diagnostics(log),
    count: () => counts,
  });
}

const reports = () => daemon.requests.filter(({ op }) => op === 'window');

beforeEach(() => {
  log = new MemoryLog();
  counts = { folders: ['/w/repo'], tabs: 1, terminals: 0 };
});

afterEach(async () => {
  await reporter.close();
  await daemon.close();
});

describe('a window', () => {
  it('reports itself at once, in the words of the contract', async () => {
    await open(accept);
    await until(() => reports().length === 1);
    expect(reports()[0]).toEqual({
      service: 'sessions',
      op: 'window',
      payload: { key: 'window-1', folders: ['/w/repo'], tabs: 1, terminals: 0 },
    });
  });

  it('reports on every heartbeat, since a report lives for 30 s only', async () => {
    await open(accept, 50);
    await until(() => reports().length >= 4);
  });

  it('reports a change soon, a burst of changes once, and no change not at all', async () => {
    await open(accept);
    await until(() => reports().length === 1);
    for (let event = 0; event < 20; event += 1) {
      counts = { ...counts, terminals: event };
      reporter.changed();
    }
    await until(() => reports().length === 2);
    expect(reports()[1]).toMatchObject({ payload: { terminals: 19 } });
    reporter.changed();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(reports()).toHaveLength(2);
  });

  it('takes its report back when it closes', async () => {
    await open(accept);
    await until(() => reports().length === 1);
    await reporter.close();
    expect(daemon.requests.at(-1)).toEqual({
      service: 'sessions',
      op: 'window-unregister',
      payload: { key: 'window-1' },
    });
  });

  it('never has its report after its farewell, however early it closes', async () => {
    await open(accept);
    reporter.report();
    reporter.report();
    await reporter.close();
    await until(() => daemon.requests.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(daemon.requests.at(-1)).toMatchObject({ op: 'window-unregister' });
  });
});

describe('a daemon that does not take the report', () => {
  it('is named with its reason and the window key, once, and so is its recovery', async () => {
    let takes = false;
    await open(() => (takes ? { ok: true } : { ok: false, error: 'not\u001b[2J today' }), 40);
    await until(() => reports().length >= 4);
    expect(log.of('warn')).toEqual(['window_report_failed: key=window-1 rejected: not[2J today']);
    takes = true;
    await until(() => log.of('info').includes('window_report_recovered'));
  });

  it('may be absent: the next heartbeat tries again', async () => {
    daemon = new FakeDaemon(accept);
    start(50);
    await until(() => log.of('warn').length === 1);
    expect(log.of('warn')[0]).toBe('window_report_failed: key=window-1 unreachable: DAEMON_UNREACHABLE');
    await daemon.listen();
    await until(() => reports().length > 0);
  });

  it('may hang: closing the window takes no longer than its bound', async () => {
    await open(() => undefined);
    await until(() => reports().length === 1);
    const began = Date.now();
    await reporter.close();
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});
