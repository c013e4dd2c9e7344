import { describe, expect, it } from 'vitest';
import { type StateReport, StreamTracker } from '../../../wrappers/claude/tracker.ts';
import { type Capture, isPiped, loadCaptures } from './support/captures.ts';

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

/** The expected changes from the first record with an id on; the exit is the wrapper's to report. */
function visibleChanges({ changes, identity }: Capture) {
  const first = identity[0]?.index;
  if (first === undefined) return [];
  const before = changes.filter(({ index }) => index <= first).at(-1);
  const after = changes.filter(({ index, state }) => index > first && state !== 'ended');
  return [...(before === undefined ? [] : [{ ...before, index: first, earliest: first }]), ...after];
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
