import type { SessionState } from '../../contract/events.ts';

/** What is read of one live-process record (`<config>/sessions/<pid>.json`). Names and titles are left unread. */
export interface LiveRecord {
  pid: number;
  sessionId: string;
  cwd?: string;
  /** `busy`, `idle`, `waiting`, `shell`, or a word of a later version; absent for the first moments. */
  status?: string;
  waitingFor?: string;
  /** Wall milliseconds. */
  statusUpdatedAt?: number;
  startedAt: number;
  /** Start-time token of the process as Claude read it. */
  procStart?: string;
  pidDomain?: string;
  kind?: string;
  entrypoint?: string;
  spare: boolean;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function time(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Parses a record, or returns undefined: half-written, not an object, or without the keys that make it one. */
export function parseLiveRecord(content: string): LiveRecord | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof raw !== 'object' || raw === null) return undefined;
  const fields = raw as Record<string, unknown>;
  const sessionId = text(fields.sessionId)?.trim();
  const startedAt = time(fields.startedAt);
  if (typeof fields.pid !== 'number' || !Number.isInteger(fields.pid) || fields.pid <= 1) return undefined;
  if (sessionId === undefined || sessionId === '' || startedAt === undefined) return undefined;
  const known = {
    cwd: text(fields.cwd),
    status: text(fields.status),
    waitingFor: text(fields.waitingFor),
    statusUpdatedAt: time(fields.statusUpdatedAt),
    procStart: text(fields.procStart),
    pidDomain: text(fields.pidDomain),
    kind: text(fields.kind),
    entrypoint: text(fields.entrypoint),
  };
  return {
    pid: fields.pid,
    sessionId,
    startedAt,
    spare: fields.spare === true,
    ...(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as object),
  };
}

/** How a record's words read: a state, nothing new (the state before holds), or a word nobody knows. */
export type RecordReading = { state: SessionState } | 'unchanged' | 'unknown_word';

const PERMISSIONS: ReadonlySet<string> = new Set([
  'permission prompt',
  'sandbox request',
  'worker request',
  'goal proposal',
]);

/** A record without a status is starting; later than this after its start, its version does not say. */
const STARTING_MS = 15_000;

/** Reads a record's words (docs/protocol.md, "Live records"). @param now wall milliseconds. */
export function readStatus(record: LiveRecord, now: number): RecordReading {
  switch (record.status) {
    case undefined:
      return now - record.startedAt <= STARTING_MS ? { state: 'starting' } : 'unchanged';
    case 'busy':
      return { state: 'working' };
    case 'idle':
    case 'shell':
      return { state: 'idle' };
    case 'waiting':
      if (record.waitingFor === 'dialog open') return 'unchanged';
      if (record.waitingFor !== undefined && PERMISSIONS.has(record.waitingFor)) {
        return { state: 'waiting_for_permission' };
      }
      return { state: 'waiting_for_input' };
    default:
      return 'unknown_word';
  }
}

/** Records that stand for no conversation of the user's. */
export function isSession(record: LiveRecord): boolean {
  return !record.spare && record.kind !== 'daemon' && record.kind !== 'daemon-worker';
}

/** The pid namespace in a record's `pidDomain` (`linux:<machine>:pid:[n]`), or undefined when it names none. */
export function namespaceOf(pidDomain: string | undefined): string | undefined {
  return /pid:\[\d+\]$/.exec(pidDomain ?? '')?.[0];
}

/** What is known of the process that a record names. */
export interface RecordedProcess {
  alive: boolean;
  token?: string | undefined;
  startedAt?: number | undefined;
}

/** The two sides read the start at different moments. */
const START_SLACK_MS = 10_000;

/**
 * Whether the process is the one the record was written by. A start token of the form known here decides; in another
 * form it is no proof of anything, and the start times are compared: a recycled pid started after the record's process.
 */
export function isSameProcess(record: LiveRecord, found: RecordedProcess): boolean {
  if (!found.alive) return false;
  const comparable = /^\d+$/.test(record.procStart ?? '') && /^\d+$/.test(found.token ?? '');
  if (comparable) return record.procStart === found.token;
  return found.startedAt === undefined || found.startedAt <= record.startedAt + START_SLACK_MS;
}
