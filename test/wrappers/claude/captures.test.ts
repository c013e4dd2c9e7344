import { describe, expect, it } from 'vitest';
import { Observer } from '../../../wrappers/claude/observer.ts';
import { StreamTracker } from '../../../wrappers/claude/tracker.ts';
import type { StateReport } from '../../../wrappers/claude/tracker-report.ts';
import { type Capture, isPiped, loadCaptures } from './support/captures.ts';
import { visibleChanges } from './support/expected-states.ts';

interface Seen extends StateReport {
  index: number;
}

/** Replays a capture and returns every state report with the record that caused it. */
function replay({ records, oneShot }: Capture): Seen[] {
  const tracker = new StreamTracker({ oneShot });
  const seen: Seen[] = [];
  for (const [index, record] of records.entries()) {
    if (!isPiped(record)) continue;
    const report = tracker.line(record.dir === 'in' ? 'to_claude' : 'from_claude', record.line);
    if (report !== undefined && 'state' in report) seen.push({ index, ...report });
  }
  return seen;
}

/** Reports that only say more about the same state are no change of it. */
function changesOfState(seen: Seen[]): Seen[] {
  return seen.filter((report, at) => report.state !== seen[at - 1]?.state);
}

const captures = loadCaptures();

describe('a capture of the real Claude Code', () => {
  it('is there at all', () => expect(captures.length).toBeGreaterThan(30));

  for (const capture of captures) {
    describe(capture.name, () => {
      it('gives the expected states, each in its time', () => {
        const got = changesOfState(replay(capture));
        const wanted = visibleChanges(capture);
        expect(got.map(({ state }) => state)).toEqual(wanted.map(({ state }) => state));
        for (const [at, { index, earliest, state }] of wanted.entries()) {
          const report = got[at]?.index;
          expect(report, `${state} too early`).toBeGreaterThanOrEqual(earliest);
          expect(report, `${state} too late`).toBeLessThanOrEqual(index);
        }
      });

      it('gives the expected id, folder and model', () => {
        const seen = replay(capture);
        for (const { index, ...identity } of capture.identity) {
          const known = seen.filter((report) => report.index <= index).at(-1);
          expect(known, `at record ${index}`).toMatchObject(identity);
        }
      });
    });
  }
});

/** The states that an observer reports when each direction's bytes come in two reads, cut at `at`. */
async function observedStates({ records, oneShot }: Capture, at: number): Promise<string[]> {
  const states: string[] = [];
  const reporter = {
    observe: ({ event }: { event: unknown }) => states.push((event as { stream_state: string }).stream_state),
    end: () => {},
    close: async () => {},
  };
  const observer = new Observer({ reporter, agentPid: () => 1, oneShot });
  const readers = { in: observer.reader('to_claude'), out: observer.reader('from_claude') };
  let passed = 0;
  for (const record of records.filter(isPiped)) {
    const bytes = Buffer.from(`${record.line}\n`);
    const cut = Math.min(Math.max(at - passed, 0), bytes.length);
    const read = readers[record.dir === 'in' ? 'in' : 'out'];
    read(bytes.subarray(0, cut));
    read(bytes.subarray(cut));
    passed += bytes.length;
  }
  await observer.finish();
  return states;
}

describe('the same states come out wherever a read is cut', () => {
  const sizeOf = ({ records }: Capture) =>
    records.filter(isPiped).reduce((sum, { line }) => sum + Buffer.byteLength(line) + 1, 0);

  for (const capture of captures.filter((candidate) => sizeOf(candidate) < 6_000)) {
    it(`${capture.name}, at every byte position`, async () => {
      const whole = await observedStates(capture, 0);
      for (let at = 1; at < sizeOf(capture); at += 1) {
        expect(await observedStates(capture, at), `cut at ${at}`).toEqual(whole);
      }
    });
  }
});
