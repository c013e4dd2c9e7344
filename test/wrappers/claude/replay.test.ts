import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeDaemon } from '../../support/fake-daemon.ts';
import { until } from '../../support/until.ts';
import { type Capture, isPiped, loadCaptures } from './support/captures.ts';
import { cut } from './support/chunks.ts';
import { visibleChanges } from './support/expected-states.ts';
import { WrappedChild } from './support/wrapped-child.ts';

const captures = loadCaptures();
const streamJson = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

const pieceSizes = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 12 });

/** A state that arrived at the daemon, and the record that was being replayed then. */
interface Arrival {
  state: string;
  index: number;
}

interface Replayed {
  arrivals: Arrival[];
  ends: unknown[];
  sent: Record<'in' | 'out', Buffer>;
  got: Record<'in' | 'out', string>;
  code: number | null;
}

let daemon: FakeDaemon;
let record: number;
let arrivals: Arrival[];
let ends: unknown[];

beforeEach(async () => {
  daemon = await new FakeDaemon((request) => {
    hear(request);
    return { ok: true, payload: { ok: true } };
  }).listen();
});

afterEach(() => daemon.close());

function forget(): void {
  record = -1;
  arrivals = [];
  ends = [];
}

function hear({ op, payload }: Record<string, unknown>): void {
  if (op === 'end') ends.push((payload as { session_id: string }).session_id);
  if (op !== 'observe') return;
  const state = (payload as { event: { stream_state: string } }).event.stream_state;
  if (state !== arrivals.at(-1)?.state) arrivals.push({ state, index: record });
}

/** Plays a capture through the real wrapper, each record in pieces of the given sizes, each piece a read of its own. */
async function replay(capture: Capture, sizes: number[]): Promise<Replayed> {
  forget();
  const childArguments = capture.oneShot ? ['-p', '--output-format', 'stream-json'] : streamJson;
  const child = new WrappedChild({ socket: daemon.socket, childArguments });
  const due = visibleChanges(capture);
  const sent = { in: Buffer.alloc(0), out: Buffer.alloc(0) };
  try {
    await child.ready();
    for (const [index, step] of capture.records.entries()) {
      record = index;
      if (!isPiped(step)) continue;
      const bytes = Buffer.from(`${step.line}\n`);
      const way = step.dir === 'in' ? 'in' : 'out';
      sent[way] = Buffer.concat([sent[way], bytes]);
      for (const piece of cut(bytes, sizes)) {
        await (way === 'in' ? child.hostWrites(piece) : child.childWrites(piece));
      }
      const dueNow = due.filter((change) => change.index <= index).length;
      await until(
        () => arrivals.length >= dueNow,
        () => `at record ${index} only ${JSON.stringify(arrivals)} arrived`,
      );
    }
    child.tell({ exit: 0 });
    const { code } = await child.exited();
    return { arrivals, ends, sent, got: { in: child.inputDigest, out: child.outputDigest }, code };
  } finally {
    await child.dispose();
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function expectTransparent({ sent, got, code }: Replayed): void {
  expect(got.out).toBe(sha256(sent.out));
  expect(got.in).toBe(sha256(sent.in));
  expect(code).toBe(0);
}

function expectStates(capture: Capture, replayed: Replayed): void {
  const due = visibleChanges(capture);
  expect(replayed.arrivals.map(({ state }) => state)).toEqual(due.map(({ state }) => state));
  for (const [at, { earliest, state }] of due.entries()) {
    expect(replayed.arrivals[at]?.index, `${state} too early`).toBeGreaterThanOrEqual(earliest);
  }
  const ids = [...new Set(capture.identity.map(({ session_id }) => session_id))];
  expect(replayed.ends).toEqual(ids);
}

describe('a capture played through the real wrapper in random pieces', () => {
  for (const capture of captures) {
    it(`${capture.name}: same states as expected, same bytes both ways`, async () => {
      const holds = fc.asyncProperty(pieceSizes, async (sizes) => {
        const replayed = await replay(capture, sizes);
        expectTransparent(replayed);
        expectStates(capture, replayed);
      });
      await fc.assert(holds, { numRuns: 1, endOnFailure: true });
    });
  }
});

describe('a small capture played through the real wrapper byte by byte', () => {
  const small = captures.filter(({ records }) => bytesOf(records) < 6_000);

  it('exists', () => expect(small.length).toBeGreaterThan(1));

  for (const capture of small) {
    it(`${capture.name}: same states as expected, same bytes both ways`, async () => {
      const replayed = await replay(capture, [1]);
      expectTransparent(replayed);
      expectStates(capture, replayed);
    }, 120_000);
  }
});

function bytesOf(records: Capture['records']): number {
  return records.filter(isPiped).reduce((sum, { line }) => sum + Buffer.byteLength(line) + 1, 0);
}
