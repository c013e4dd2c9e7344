import { describe, expect, it } from 'vitest';
import { type LiveRecord, parseLiveRecord, readStatus } from '../../../agents/claude/live-record.ts';
import { Bench } from '../registry/bench.ts';
import { addState, captureLines, captureNames, expectedStates } from './captures.ts';

interface LiveLine {
  t: number;
  file: string;
  record?: unknown;
  gone?: boolean;
}

/** What the record of a text run or a late poll shows differently from the stream, and why. */
const DIFFERENT: Readonly<Record<string, { states: string; why: string }>> = {
  'print-stream': {
    states: 'starting working ended',
    why: 'the process ends before it writes that it rests',
  },
  'print-text': { states: 'starting idle working ended', why: 'the stream of a text run says nothing' },
  'resume-while-running': {
    states: 'starting idle working idle starting idle working idle working idle ended',
    why: 'the stream is one of the two processes, the records are both',
  },
  'slow-session-end': { states: 'idle working idle ended', why: 'starting was too short for the poll' },
};

/** Plays a capture's records into a registry; the states of whichever session they name. */
function statesByRecords(name: string): string[] {
  const bench = new Bench();
  const live = new Map<string, LiveRecord>();
  const states: string[] = [];
  let before = 0;
  for (const line of captureLines<LiveLine>('live', name)) {
    bench.after((line.t - before) / 1000);
    before = line.t;
    const known = live.get(line.file);
    const record = line.record === undefined ? undefined : parseLiveRecord(JSON.stringify(line.record));
    if (record !== undefined) {
      live.set(line.file, record);
      const reading = readStatus(record, record.startedAt);
      bench.record(typeof reading === 'object' ? reading.state : undefined, {
        session_id: record.sessionId,
        pid: record.pid,
        statusAt: record.statusUpdatedAt ?? record.startedAt,
        startedAt: record.startedAt,
        entrypoint: record.entrypoint ?? '',
      });
    } else if (known !== undefined) {
      bench.registry.recordGone(known.sessionId, known.pid, 'removed');
    }
    addState(states, bench.state((record ?? known)?.sessionId));
  }
  return states;
}

describe('captured live records give the states of their streams', () => {
  for (const name of captureNames('live')) {
    const expected = DIFFERENT[name]?.states.split(' ') ?? expectedStates(name);
    // Captures of terminals have no stream; resumes begin with the record that a killed process left behind.
    if (expected === undefined || name.startsWith('resume-other') || name === 'resume-stream') continue;
    it(name, () => {
      const killed = name === 'sigkill-busy' ? ['ended'] : [];
      expect([...statesByRecords(name), ...killed]).toEqual(expected);
    });
  }
});
