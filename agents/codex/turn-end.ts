import { open } from 'node:fs/promises';
import { parseRfc3339 } from '../../contract/clock.ts';
import type { Outcome } from '../../contract/events.ts';

/** How a rollout's last turn stands: still running, or how it ended. */
export type TurnStanding = 'running' | Outcome;

/** The last record of a turn's start or end. */
export interface TurnMark {
  standing: TurnStanding;
  /** Wall milliseconds at which the record was written, where the record says it. */
  at: number | undefined;
}

/** The end of a rollout is read in growing pieces: a turn's last record is nearly always among the last few. */
const PIECES_BYTES = [16 * 1024, 256 * 1024];

/** A record's head is enough to know its kind, and the rest may be a whole answer of the model. */
const HEAD_CHARACTERS = 200;

/** Records of the start and end of a turn, by the names Codex has given them over time. */
const STANDING_BY_RECORD: Readonly<Record<string, TurnStanding>> = {
  task_started: 'running',
  turn_started: 'running',
  task_complete: 'done',
  turn_complete: 'done',
  turn_aborted: 'interrupted',
};

const TIMESTAMP = /^\{"timestamp":"([^"]+)"/;
const EVENT_RECORD = /"type":"event_msg","payload":\{"type":"([a-z_]+)"/;

/** What one line of a rollout says about a turn, or undefined when it says nothing. Nothing else of it is kept. */
export function turnMarkOf(line: string): TurnMark | undefined {
  const head = line.slice(0, HEAD_CHARACTERS);
  const record = EVENT_RECORD.exec(head)?.[1];
  const standing = record === undefined ? undefined : STANDING_BY_RECORD[record];
  if (standing === undefined) return undefined;
  const time = TIMESTAMP.exec(head)?.[1];
  return {
    standing: standing === 'done' && endsWithError(line) ? 'failed' : standing,
    at: time === undefined ? undefined : parseRfc3339(time),
  };
}

function endsWithError(line: string): boolean {
  if (!line.includes('"error"')) return false;
  try {
    const record = JSON.parse(line) as { payload?: { error?: unknown } };
    return record.payload?.error !== undefined && record.payload.error !== null;
  } catch {
    return false;
  }
}

/** The last turn record in a piece of a rollout. Lines that are cut off say nothing. */
export function lastTurnMark(text: string): TurnMark | undefined {
  const lines = text.split('\n');
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const mark = turnMarkOf(lines[index] ?? '');
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/**
 * Reads from the end of a rollout how its last turn stands. Codex writes that record before it says `idle`, so the
 * answer is there as soon as the question arises.
 *
 * Only the kinds of records are looked at, in at most the last 256 KB.
 *
 * @returns undefined when the file cannot be read or says nothing there.
 */
export async function readTurnMark(rolloutPath: string): Promise<TurnMark | undefined> {
  try {
    const file = await open(rolloutPath, 'r');
    try {
      const { size } = await file.stat();
      for (const piece of PIECES_BYTES) {
        const length = Math.min(piece, size);
        const buffer = Buffer.alloc(length);
        const { bytesRead } = await file.read(buffer, 0, length, size - length);
        const mark = lastTurnMark(buffer.toString('utf8', 0, bytesRead));
        if (mark !== undefined || length === size) return mark;
      }
      return undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
