import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { until } from '../../support/until.ts';
import { residentBytes } from '../../wrappers/claude/support/memory.ts';
import { statesIn, untilState } from '../../wrappers/claude/support/reports.ts';
import { WrappedChild } from '../../wrappers/claude/support/wrapped-child.ts';

const MEBIBYTE = 1_048_576;

/** Sizes in MiB; the large ones of the issue run with OMNI_DEV_TEST_HUGE=1. */
const isHuge = process.env.OMNI_DEV_TEST_HUGE === '1';
const flood = isHuge ? 1_024 : 256;
const longLine = isHuge ? 500 : 64;

/** What the memory of the wrapper may grow by while a stream passes: buffers of the runtime, not the stream. */
const GROWTH_LIMIT = 48 * MEBIBYTE;

const init = '{"type":"system","subtype":"init","session_id":"s-1","cwd":"/w","model":"claude-opus-5"}\n';
const idle = '{"type":"system","subtype":"session_state_changed","state":"idle","session_id":"s-1"}\n';
const running = '{"type":"system","subtype":"session_state_changed","state":"running","session_id":"s-1"}\n';

let daemon: FakeDaemon;
let child: WrappedChild;

beforeEach(async () => {
  daemon = await new FakeDaemon(() => ({ ok: true, payload: { ok: true } })).listen();
  const childArguments = ['--input-format', 'stream-json'];
  child = await new WrappedChild({ socket: daemon.socket, childArguments }).ready();
});

afterEach(async () => {
  await child.dispose();
  await daemon.close();
});

function sha256(...pieces: Buffer[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** SHA-256 of the same bytes many times over. */
function sha256Of(block: Buffer, times: number): string {
  const hash = createHash('sha256');
  for (let i = 0; i < times; i += 1) hash.update(block);
  return hash.digest('hex');
}

async function leavesInOrder(): Promise<void> {
  child.tell({ exit: 0 });
  expect(await child.exited()).toEqual({ code: 0, signal: null });
}

describe('D1: a character split over reads', () => {
  it('comes out as the same bytes, and its line is read', async () => {
    const line = Buffer.from('{"type":"system","subtype":"init","session_id":"s-€","cwd":"/w/€"}\n');
    for (const byte of line) await child.childWrites(Buffer.from([byte]));
    await until(() => daemon.requests.length > 0);
    expect(daemon.requests[0]?.payload).toMatchObject({ session_id: 's-€', cwd: '/w/€' });
    expect(Buffer.concat(child.output)).toEqual(line);
    await leavesInOrder();
  });
});

describe('D2: a long line after a short one on stdin', () => {
  it('arrives whole and in order', async () => {
    const short = Buffer.from('{"type":"keep_alive"}\n');
    const long = Buffer.from(`{"type":"user","message":"${'x'.repeat(200_000)}"}\n`);
    child.process.stdin?.write(short);
    await child.hostWrites(long);
    expect(child.inputBytes).toBe(short.length + long.length);
    expect(child.inputDigest).toBe(sha256(short, long));
  });
});

describe('D3: a child that writes much and leaves at once', () => {
  it('is delivered in full to a reader that is slow', async () => {
    const block = randomBytes(MEBIBYTE);
    child.process.stdout?.pause();
    child.tell({ repeat: { base64: block.toString('base64'), times: 8 }, exit: 3 });
    await delay(1_000);
    child.process.stdout?.resume();
    expect(await child.exited()).toEqual({ code: 3, signal: null });
    expect(child.outputDigest).toBe(sha256Of(block, 8));
  });
});

describe('D4: lines of any length', () => {
  it('a 300 KB line is forwarded and read', async () => {
    const line = `{"pad":"${'x'.repeat(300_000)}","type":"system","subtype":"init","session_id":"s-1"}\n`;
    await child.childWrites(line);
    await untilState(daemon, 'idle');
    expect(child.outputDigest).toBe(sha256(Buffer.from(line)));
  });

  for (const mebibytes of [16, longLine]) {
    it(`a ${mebibytes} MiB line is forwarded, not read, and the next line is read again`, async () => {
      await child.childWrites(init + running);
      await untilState(daemon, 'working');
      const before = residentBytes(child.childParent);
      const block = Buffer.alloc(MEBIBYTE, 'x');
      child.tell({ repeat: { base64: block.toString('base64'), times: mebibytes } });
      await child.when(
        () => child.outputBytes >= mebibytes * MEBIBYTE,
        () => `only ${child.outputBytes} bytes came`,
        240_000,
      );
      expect(residentBytes(child.childParent) - before).toBeLessThan(GROWTH_LIMIT);
      await child.childWrites(`\n${idle}`);
      await untilState(daemon, 'idle');
      await leavesInOrder();
    }, 300_000);
  }
});

describe('D5: reads that are no lines', () => {
  it('one line in seven reads and two lines in one read are one and two lines', async () => {
    for (let at = 0; at < init.length; at += Math.ceil(init.length / 7)) {
      await child.childWrites(init.slice(at, at + Math.ceil(init.length / 7)));
    }
    await untilState(daemon, 'idle');
    await child.childWrites(running + idle);
    await until(() => statesIn(daemon).length >= 3);
    expect(statesIn(daemon)).toEqual(['idle', 'working', 'idle']);
  });
});

describe('D12: a reader that stalls', () => {
  it(`loses nothing of ${flood} MiB, memory stays flat, and the state is right afterwards`, async () => {
    await child.childWrites(init + running);
    await untilState(daemon, 'working');
    const event = `{"type":"stream_event","session_id":"s-1","event":"${'x'.repeat(700)}"}\n`;
    const block = Buffer.from(event.repeat(Math.ceil(MEBIBYTE / event.length)));
    const first = child.outputBytes;
    const digestBefore = Buffer.concat(child.output);
    const before = residentBytes(child.childParent);
    child.process.stdout?.pause();
    child.tell({ repeat: { base64: block.toString('base64'), times: flood } });
    await delay(isHuge ? 10_000 : 2_000);
    expect(residentBytes(child.childParent) - before).toBeLessThan(GROWTH_LIMIT);
    child.process.stdout?.resume();
    await child.when(
      () => child.outputBytes >= first + flood * block.length,
      () => `only ${child.outputBytes} bytes came`,
      240_000,
    );
    expect(residentBytes(child.childParent) - before).toBeLessThan(GROWTH_LIMIT);
    const wanted = createHash('sha256').update(digestBefore);
    for (let i = 0; i < flood; i += 1) wanted.update(block);
    expect(child.outputDigest).toBe(wanted.digest('hex'));
    await child.childWrites(idle);
    await untilState(daemon, 'idle');
    await leavesInOrder();
  }, 300_000);
});

describe('bytes that are no text', () => {
  it('NUL bytes and invalid UTF-8 pass unchanged both ways and hide no line after them', async () => {
    const binary = Buffer.concat([Buffer.from([0, 0xff, 0xfe, 0x00, 0xc3, 0x28]), randomBytes(70_000)]);
    const bytes = Buffer.concat([binary, Buffer.from('\n')]);
    await child.hostWrites(bytes);
    await child.childWrites(Buffer.concat([bytes, Buffer.from(init)]));
    expect(child.inputDigest).toBe(sha256(bytes));
    expect(child.outputDigest).toBe(sha256(bytes, Buffer.from(init)));
    await untilState(daemon, 'idle');
    await leavesInOrder();
  });

  it('a line with a NUL byte in front is read from its brace on', async () => {
    await child.childWrites(Buffer.concat([Buffer.from([0, 0, 7]), Buffer.from(init)]));
    await untilState(daemon, 'idle');
  });
});
