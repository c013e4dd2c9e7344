import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StateReporter } from '../../../contract/state-reporter.ts';
import { Subscription } from '../../../contract/subscription.ts';
import { DaemonProcess } from '../../daemon-lite/support/daemon-process.ts';
import { ask, LineClient, list, observe, observeAll } from '../../daemon-lite/support/line-client.ts';
import { ThrowAwayHome } from '../../daemon-lite/support/throw-away.ts';
import { until } from '../../support/until.ts';

const SUBSCRIBE = '{"service":"sessions","op":"subscribe"}';

let home: ThrowAwayHome;
let socket: string;
let daemon: DaemonProcess;
beforeEach(async () => {
  home = new ThrowAwayHome();
  socket = home.path('run', 'd.sock');
  daemon = await start();
});
afterEach(async () => {
  await daemon.remove();
  home.remove();
});

async function start(): Promise<DaemonProcess> {
  const started = new DaemonProcess({ env: home.env({ OMNI_DEV_DAEMON_STREAM_TICK: '1' }), socket });
  expect(await started.settled(socket), started.stderr).toBe('serving');
  return started;
}

/** Resident memory of the daemon in MiB, or undefined where the platform does not tell. */
function residentMib(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1_024;
}

function id(number: number): string {
  return `0f8b0b4e-1111-4222-8333-${String(number).padStart(12, '0')}`;
}

describe('a slow subscriber', { timeout: 120_000 }, () => {
  const ROWS = 200;
  const CHANGES = 300;

  it('costs the others nothing, is held in bounded memory and sees the newest snapshot when it reads', async () => {
    const cwd = `/w/${'x'.repeat(500)}`;
    await observeAll(
      socket,
      Array.from({ length: ROWS }, (_, row) => ({ session_id: id(row), event: 'stop', cwd })),
    );
    const slow = await Promise.all(Array.from({ length: 20 }, () => LineClient.connect(socket)));
    for (const client of slow) {
      client.stopReading();
      client.send(SUBSCRIBE);
    }
    const quick = await LineClient.connect(socket);
    quick.send(SUBSCRIBE);
    await quick.line(60_000);
    const before = residentMib();
    const states = Array.from({ length: CHANGES }, (_, change) => (change % 2 === 0 ? 'working' : 'idle'));
    await observeAll(
      socket,
      states.map((stream_state) => ({ session_id: id(0), event: { stream_state } })),
    );
    await observe(socket, { session_id: 'last', event: 'user_prompt_submit' });
    const sees = (client: LineClient) => client.pendingLines().at(-1)?.includes('"last"') === true;
    await until(() => sees(quick), undefined, 60_000);
    const after = residentMib();
    if (before !== undefined && after !== undefined) expect(after - before).toBeLessThan(60);
    for (const client of slow) client.readAgain();
    await until(() => slow.every(sees), undefined, 60_000);
    for (const client of slow) {
      expect(client.pendingLines().length).toBeLessThan(CHANGES / 3);
      client.hangUp();
    }
    quick.hangUp();
  });
});

describe('a hundred clients', () => {
  it('at once are all served, each in its order', async () => {
    const perClient = 20;
    const clients = await Promise.all(Array.from({ length: 100 }, () => LineClient.connect(socket)));
    const watcher = await LineClient.connect(socket);
    watcher.send(SUBSCRIBE);
    await watcher.line();
    clients.forEach((client, at) => {
      for (let turn = 0; turn < perClient; turn++) {
        const state = turn === perClient - 1 ? 'waiting_for_input' : 'working';
        const payload = { session_id: id(at), event: { stream_state: state }, cwd: '/' };
        client.send(JSON.stringify({ service: 'sessions', op: 'observe', payload }));
        client.send('{"op":"ping"}');
      }
    });
    await Promise.all(
      clients.map(async (client) => {
        for (let turn = 0; turn < perClient; turn++) {
          expect(await client.reply()).toEqual({ ok: true, payload: { ok: true } });
          expect(await client.reply()).toMatchObject({ payload: { pong: true } });
        }
        client.hangUp();
      }),
    );
    const rows = await list(socket);
    expect(rows).toHaveLength(100);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['waiting_for_input']));
    await until(() => {
      const last = watcher.pendingLines().at(-1) ?? '';
      return last.split('waiting_for_input"').length > 100;
    });
    watcher.hangUp();
  });

  it('that come and go without a word leave nothing behind', async () => {
    for (let round = 0; round < 5; round++) {
      const clients = await Promise.all(Array.from({ length: 100 }, () => LineClient.connect(socket)));
      for (const client of clients) {
        client.sendBytes(Buffer.from('{"op":"pi'));
        client.hangUp();
      }
    }
    await until(async () => {
      const { payload } = await ask(socket, { op: 'status' });
      const [service] = (payload as { services: { detail: { connections: number } }[] }).services;
      return service?.detail.connections === 1;
    });
  });
});

describe('a daemon that is killed in the middle of a turn', () => {
  it('is right again when it is back, without anybody’s help', async () => {
    const seen: string[] = [];
    const subscription = new Subscription(socket, {
      snapshot: ({ sessions }) => seen.push(sessions.map(({ state }) => state).join() || 'none'),
    });
    const reporter = new StateReporter({ socket });
    try {
      reporter.observe({ session_id: id(1), event: { stream_state: 'working' }, feed: 'claude_stream' });
      await until(() => seen.at(-1) === 'working');
      daemon.child.kill('SIGKILL');
      await daemon.exited;
      reporter.observe({
        session_id: id(1),
        event: { stream_state: 'waiting_for_permission' },
        feed: 'claude_stream',
      });
      daemon = await start();
      await until(() => seen.at(-1) === 'waiting_for_permission');
    } finally {
      subscription.close();
      await reporter.close(0);
    }
  });
});

describe('a daemon that is suspended', () => {
  it('serves what waited and ages nobody when it goes on', async () => {
    await observe(socket, { session_id: id(1), event: 'stop' });
    const client = await LineClient.connect(socket);
    client.send(SUBSCRIBE);
    await client.line();
    daemon.child.kill('SIGSTOP');
    const waiting = observe(socket, { session_id: id(2), event: 'user_prompt_submit' });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    daemon.child.kill('SIGCONT');
    await waiting;
    await until(() => client.pendingLines().some((line) => line.includes(id(2))));
    expect(await list(socket)).toHaveLength(2);
    client.hangUp();
  });
});

describe('a stop under load', () => {
  it('ends streams at once, answers what was asked and exits 0', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => LineClient.connect(socket)));
    for (const stream of streams) {
      stream.send(SUBSCRIBE);
      await stream.line();
    }
    const asking = await LineClient.connect(socket);
    asking.sendBytes(Buffer.from('{"op":"ping"}\n'.repeat(500)));
    expect(await ask(socket, { op: 'shutdown' })).toEqual({ ok: true, payload: { stopping: true } });
    for (const stream of streams) await stream.closed();
    expect(await daemon.exited).toBe(0);
    for (let count = 0; count < 500; count++) expect((await asking.reply()).ok).toBe(true);
  });
});
