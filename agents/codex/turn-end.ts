import { open } from 'node:fs/promises';
import type { Outcome } from '../../contract/events.ts';

/** How a rollout's last turn stands: still running, or how it ended. */
export type TurnStanding = 'running' | Outcome;

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

const EVENT_RECORD = /"type":"event_msg","payload":\{"type":"([a-z_]+)"/;

/** The standing that one line of a rollout says, or undefined when it says none. Nothing of the line is kept. */
export function standingOfRecord(line: string): TurnStanding | undefined {
  const record = EVENT_RECORD.exec(line.slice(0, HEAD_CHARACTERS))?.[1];
  const standing = record === undefined ? undefined : STANDING_BY_RECORD[record];
  return standing === 'done' && endsWithError(line) ? 'failed' : standing;
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

/** The standing that the last turn record in a piece of a rollout says. Lines that are cut off say nothing. */
export function standingOfTail(text: string): TurnStanding | undefined {
  const lines = text.split('\n');
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const standing = standingOfRecord(lines[index] ?? '');
    if (standing !== undefined) return standing;
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
export async function readTurnStanding(rolloutPath: string): Promise<TurnStanding | undefined> {
  try {
    const file = await open(rolloutPath, 'r');
    try {
      const { size } = await file.stat();
      for (const piece of PIECES_BYTES) {
        const length = Math.min(piece, size);
        const buffer = Buffer.alloc(length);
        const { bytesRead } = await file.read(buffer, 0, length, size - length);
        const standing = standingOfTail(buffer.toString('utf8', 0, bytesRead));
        if (standing !== undefined || length === size) return standing;
      }
      return undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
