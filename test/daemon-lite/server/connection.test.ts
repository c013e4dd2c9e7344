import { mkdirSync } from 'node:fs';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LINE_LIMIT_BYTES } from '../../../contract/line-splitter.ts';
import { Log } from '../../../daemon-lite/diagnostics/log.ts';
import { parseLogFilter } from '../../../daemon-lite/diagnostics/log-filter.ts';
import { Connection } from '../../../daemon-lite/server/connection.ts';
import type { Answer } from '../../../daemon-lite/server/requests.ts';
import { Subscriptions } from '../../../daemon-lite/server/subscriptions.ts';
import { until } from '../../support/until.ts';
import { LineClient } from '../support/line-client.ts';
import { ThrowAwayHome } from '../support/throw-away.ts';

/** A server whose answers the test gives, on a real socket. */
class Bench {
  readonly home = new ThrowAwayHome();
  readonly socket = this.home.path('s', 'd.sock');
  readonly records: string[] = [];
  readonly open = new Set<Connection>();
  served = 0;
  answer: (line: string) => Answer = (line) => `${line}\n`;
  stops = 0;
  readonly subscriptions = new Subscriptions({
    snapshot: () => this.snapshot,
    onChange: (listener) => {
      this.changed = listener;
      return () => {};
    },
    tickMs: 60_000,
    log: new Log(parseLogFilter('debug'), (line) => this.records.push(line)).target('server'),
  });
  snapshot = 'snapshot\n';
  changed: () => void = () => {};
  readonly #stallMs: number;
  readonly #server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, {
      answer: (line) => {
        this.served++;
        return this.answer(line.toString());
      },
      subscriptions: this.subscriptions,
      onStop: () => {
        this.stops++;
      },
      onClose: (closed) => this.open.delete(closed),
      stallMs: this.#stallMs,
    });
    this.open.add(connection);
  });

  constructor(stallMs = 60_000) {
    this.#stallMs = stallMs;
    mkdirSync(this.home.path('s'));
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(this.socket, resolve));
  }

  ends(): string[] {
    return this.records.flatMap((line) => /reason=(\w+)/.exec(line)?.[1] ?? []);
  }

  async remove(): Promise<void> {
    for (const connection of this.open) connection.destroy();
    this.subscriptions.stop();
    await new Promise((resolve) => this.#server.close(resolve));
    this.home.remove();
  }
}

let bench: Bench;
let client: LineClient;
beforeEach(async () => {
  bench = new Bench();
  await bench.listen();
  client = await LineClient.connect(bench.socket);
});
afterEach(async () => {
  client.hangUp();
  await bench.remove();
});

describe('requests on one connection', () => {
  it('are answered in order, also when an earlier answer takes longer', async () => {
    bench.answer = (line) =>
      line === 'slow' ? new Promise((resolve) => setTimeout(() => resolve('slow\n'), 30)) : `${line}\n`;
    client.sendBytes(Buffer.from('a\nslow\nb\nslow\nc\n'));
    const lines: string[] = [];
    for (let count = 0; count < 5; count++) lines.push(await client.line());
    expect(lines).toEqual(['a', 'slow', 'b', 'slow', 'c']);
  });

  it('may come in any pieces', async () => {
    for (const byte of Buffer.from('é1\r\n2\n')) client.sendBytes(Buffer.from([byte]));
    expect(await client.line()).toBe('é1');
    expect(await client.line()).toBe('2');
  });

  it('are served to the last, unterminated one when the client has finished sending', async () => {
    client.sendBytes(Buffer.from('one\ntwo'));
    client.halfClose();
    expect(await client.line()).toBe('one');
    expect(await client.line()).toBe('two');
    await client.closed();
  });

  it('before a line over the limit are answered, then it is refused and the connection closed', async () => {
    client.sendBytes(Buffer.concat([Buffer.from('one\n'), Buffer.alloc(LINE_LIMIT_BYTES + 1, 'x')]));
    expect(await client.line()).toBe('one');
    expect(await client.reply()).toEqual({ ok: false, error: 'request line exceeds the 1048576-byte limit' });
    await client.closed();
  });

  it('of exactly the limit are served, with and without a carriage return', async () => {
    bench.answer = (line) => `${line.length}\n`;
    client.sendBytes(Buffer.concat([Buffer.alloc(LINE_LIMIT_BYTES, 'x'), Buffer.from('\r\n')]));
    client.sendBytes(Buffer.concat([Buffer.alloc(LINE_LIMIT_BYTES, 'x'), Buffer.from('\n')]));
    expect(await client.line()).toBe(String(LINE_LIMIT_BYTES));
    expect(await client.line()).toBe(String(LINE_LIMIT_BYTES));
  });

  it('are dropped when the client left while an answer was under way', async () => {
    let finish: (line: string) => void = () => {};
    bench.answer = () => new Promise((resolve) => (finish = resolve));
    client.send('slow');
    await until(() => bench.served === 1);
    client.hangUp();
    await until(() => bench.open.size === 1);
    finish('late\n');
    await until(() => bench.open.size === 0);
  });
});

describe('a client that does not read its replies', () => {
  it('is not read either, and loses nothing when it reads again', async () => {
    const reply = `${'y'.repeat(10_000)}\n`;
    bench.answer = () => reply;
    client.stopReading();
    client.sendBytes(Buffer.from('ask\n'.repeat(2_000)));
    await until(() => bench.served > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(bench.served).toBeLessThan(1_000);
    client.readAgain();
    await until(() => client.bytes === 2_000 * reply.length);
    expect(bench.served).toBe(2_000);
  });

  it('is dropped in the end', async () => {
    const strict = new Bench(50);
    await strict.listen();
    const stalled = await LineClient.connect(strict.socket);
    try {
      strict.answer = () => `${'y'.repeat(100_000)}\n`;
      stalled.stopReading();
      stalled.sendBytes(Buffer.from('ask\n'.repeat(100)));
      await until(() => strict.served > 0);
      await until(() => strict.open.size === 0);
    } finally {
      stalled.hangUp();
      await strict.remove();
    }
  });
});

describe('a subscription', () => {
  beforeEach(async () => {
    bench.answer = (line) => (line === 'subscribe' ? { subscribe: true } : `${line}\n`);
  });

  async function subscribe(): Promise<void> {
    client.send('subscribe');
    expect(await client.line()).toBe('snapshot');
  }

  it('follows the replies of earlier requests', async () => {
    client.sendBytes(Buffer.from('one\nsubscribe\n'));
    expect(await client.line()).toBe('one');
    expect(await client.line()).toBe('snapshot');
  });

  it('ends with ClientCancel by any line, which is not executed', async () => {
    await subscribe();
    client.send('one');
    await client.closed();
    expect(bench.ends()).toEqual(['ClientCancel']);
    expect(bench.served).toBe(1);
  });

  it('ends with ClientCancel by a line sent along, after its first frame', async () => {
    client.sendBytes(Buffer.from('subscribe\n\n'));
    expect(await client.line()).toBe('snapshot');
    await client.closed();
    expect(bench.ends()).toEqual(['ClientCancel']);
  });

  it('ends with ClientEof when the client has finished sending', async () => {
    await subscribe();
    client.halfClose();
    await client.closed();
    expect(bench.ends()).toEqual(['ClientEof']);
  });

  it('ends with ClientEof when the client is gone', async () => {
    await subscribe();
    client.hangUp();
    await until(() => bench.open.size === 0);
    expect(bench.ends()).toEqual(['ClientEof']);
  });

  it.each([
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xff, 0x0a])],
    ['a line over the limit', Buffer.alloc(LINE_LIMIT_BYTES + 1, 'x')],
  ])('ends with ReadDecodeError by %s', async (_what, bytes) => {
    await subscribe();
    client.sendBytes(bytes);
    await client.closed();
    expect(bench.ends()).toEqual(['ReadDecodeError']);
  });

  it('ends with DaemonShutdown when the daemon stops', async () => {
    await subscribe();
    for (const connection of bench.open) connection.drain();
    await client.closed();
    expect(bench.ends()).toEqual(['DaemonShutdown']);
  });

  it('ends with WriteFailure when the client takes no frame for too long', async () => {
    const strict = new Bench(50);
    strict.answer = () => ({ subscribe: true });
    strict.snapshot = `${'y'.repeat(900_000)}\n`;
    await strict.listen();
    const stalled = await LineClient.connect(strict.socket);
    try {
      stalled.stopReading();
      stalled.send('subscribe');
      await until(() => strict.open.size === 0 && strict.served === 1);
      expect(strict.ends()).toEqual(['WriteFailure']);
    } finally {
      stalled.hangUp();
      await strict.remove();
    }
  });
});

describe('a stop', () => {
  it('is answered before it is acted on', async () => {
    bench.answer = () => ({ stop: true, reply: 'stopping\n' });
    client.send('shutdown');
    expect(await client.line()).toBe('stopping');
    expect(bench.stops).toBe(1);
  });

  it('lets the request under way finish, then closes', async () => {
    bench.answer = () => new Promise((resolve) => setTimeout(() => resolve('late\n'), 50));
    client.send('slow');
    await until(() => bench.served === 1);
    for (const connection of bench.open) connection.drain();
    expect(await client.line()).toBe('late');
    await client.closed();
  });
});
