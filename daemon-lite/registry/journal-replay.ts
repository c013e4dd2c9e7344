import type { Agent } from '../../contract/events.ts';
import type { EndPayload, ObservePayload, Stamp } from '../../contract/messages.ts';
import { SESSION_TTL_MS } from './limits.ts';
import { SessionRegistry } from './registry.ts';

/** One record of a hook journal, checked: an operation as the sink sent it, with its stamp. */
export type JournalRecord = { agent: Agent; stamp: Stamp; at: number } & (
  | { op: 'observe'; payload: ObservePayload }
  | { op: 'end'; payload: EndPayload }
);

/** What is known of the process or lock behind a journal. Times are wall milliseconds. */
export interface ProofOfLife {
  /** Start of a running process; null when it runs but its start cannot be read; undefined when it does not run. */
  processStart(pid: number): number | null | undefined;
  /** State of a Codex thread's writer lock. */
  codexLock?: 'held' | 'free' | 'absent' | 'unknown';
  /** Start of the machine: nothing that it ran before lives. */
  bootedAt?: number | undefined;
  /** The daemon's pid namespace: a pid of another one proves nothing. */
  pidNamespace?: string | undefined;
}

export type JournalVerdict =
  | { accept: true; proven: boolean }
  | { accept: false; reason: 'ended' | 'too_old' | 'dead' | 'stale' | 'empty' };

const MAX_AGE_MS = 7 * 24 * 3_600_000;
/** A process may be noted as started a moment after its first event was stamped. */
const START_SLACK_MS = 2_000;

/** The records oldest first; concurrent hooks append in any order. */
export function inOrder(records: readonly JournalRecord[]): JournalRecord[] {
  return [...records].sort((left, right) => left.at - right.at);
}

/** Applies records to a registry by the journal route. */
export function replay(registry: SessionRegistry, records: readonly JournalRecord[]): void {
  for (const record of records) {
    if (record.op === 'observe') registry.observe(record.payload, 'journal');
    else registry.end(record.payload, 'journal');
  }
}

/**
 * Judges a journal at first sight: is its session over, too old, or does something prove that it lives? Without proof it
 * is believed for as long as a session without a pid always was: the TTL.
 */
export function judgeJournal(
  records: readonly JournalRecord[],
  now: number,
  proof: ProofOfLife,
): JournalVerdict {
  const ordered = inOrder(records);
  const last = ordered.at(-1);
  const first = ordered[0];
  if (first === undefined || last === undefined) return { accept: false, reason: 'empty' };
  const scratch = replayInScratch(ordered, now);
  if (scratch.state === undefined || scratch.state === 'ended') return { accept: false, reason: 'ended' };
  if (now - last.at > MAX_AGE_MS) return { accept: false, reason: 'too_old' };
  if (last.agent === 'codex' && proof.codexLock === 'free') return { accept: false, reason: 'dead' };
  if (last.agent === 'codex' && proof.codexLock === 'held') return { accept: true, proven: true };
  if (ownerLives(ordered, scratch.pid, proof)) return { accept: true, proven: true };
  if (proof.bootedAt !== undefined && last.at < proof.bootedAt) return { accept: false, reason: 'dead' };
  return now - last.at <= SESSION_TTL_MS
    ? { accept: true, proven: false }
    : { accept: false, reason: 'stale' };
}

function replayInScratch(
  ordered: readonly JournalRecord[],
  now: number,
): { state: string | undefined; pid: number | undefined } {
  const scratch = new SessionRegistry({ clock: { wall: () => now, awake: () => 0 } });
  replay(scratch, ordered);
  const id = ordered[0]?.payload.session_id ?? '';
  const why = scratch.why(id);
  return 'candidates' in why ? { state: undefined, pid: undefined } : { state: why.state, pid: why.pid };
}

/** The owner runs and started no later than its first journaled event: a recycled pid started after it. */
function ownerLives(ordered: readonly JournalRecord[], pid: number | undefined, proof: ProofOfLife): boolean {
  if (pid === undefined) return false;
  const start = proof.processStart(pid);
  if (start === undefined || start === null) return false;
  const first = ordered.find((record) => record.payload.pid === pid);
  if (first === undefined || isForeign(first, proof.pidNamespace)) return false;
  return start <= first.at + START_SLACK_MS;
}

function isForeign(record: JournalRecord, own: string | undefined): boolean {
  const { pid_ns: named } = record.payload;
  return named !== undefined && own !== undefined && named !== own;
}
