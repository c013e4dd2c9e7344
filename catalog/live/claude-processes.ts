import fs from 'node:fs';
import path from 'node:path';
import {
  isSameProcess,
  isSession,
  type LiveRecord,
  namespaceOf,
  parseLiveRecord,
  readStatus,
} from '../../agents/claude/live-record.ts';
import { namesIn, type ReadProblem } from '../../agents/files/stamped-file.ts';
import type { ProcessTable } from '../../agents/system/process-table.ts';
import { rfc3339 } from '../../contract/clock.ts';
import { ABSENT, type Liveness, running, UNKNOWN } from './liveness.ts';

/** A record is some hundred bytes; a larger file is none. */
const RECORD_LIMIT_BYTES = 262_144;

/**
 * Claude's live-process records, read once. A record is believed only while its process lives and started when the record
 * says: one left behind by a crash may name a process id that was given out again.
 */
export class ClaudeProcesses {
  readonly #words = new Map<string, Liveness>();
  readonly #isReadable: boolean;

  /**
   * @param folder `<config>/sessions`
   * @param pidNamespace this process's own (`pid:[n]`), or undefined where there is none
   */
  constructor(folder: string, table: ProcessTable, pidNamespace: string | undefined, now: number) {
    const problems: ReadProblem[] = [];
    for (const name of namesIn(folder, problems)) {
      if (!/^\d+\.json$/.test(name)) continue;
      const record = readRecord(path.join(folder, name));
      if (record === undefined || !isSession(record)) continue;
      const word = livenessOf(record, table, pidNamespace, now);
      if (word.kind === 'running' || !this.#words.has(record.sessionId)) {
        this.#words.set(record.sessionId, word);
      }
    }
    this.#isReadable = problems.length === 0;
  }

  liveness(sessionId: string): Liveness {
    return this.#words.get(sessionId) ?? (this.#isReadable ? ABSENT : UNKNOWN);
  }
}

function readRecord(file: string): LiveRecord | undefined {
  try {
    if (fs.statSync(file).size > RECORD_LIMIT_BYTES) return undefined;
    return parseLiveRecord(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function livenessOf(
  record: LiveRecord,
  table: ProcessTable,
  pidNamespace: string | undefined,
  now: number,
): Liveness {
  const theirs = namespaceOf(record.pidDomain);
  if (theirs !== undefined && theirs !== pidNamespace) return UNKNOWN;
  const entry = table.read(record.pid);
  if (entry === undefined) return UNKNOWN;
  if (entry === null) return ABSENT;
  const { token, startedAt } = entry;
  if (!isSameProcess(record, { alive: !entry.zombie, token, startedAt })) return ABSENT;
  const reading = readStatus(record, now);
  return running({
    source: 'live-record',
    pid: record.pid,
    startedAt: rfc3339(record.startedAt),
    ...(typeof reading === 'object' ? { state: reading.state } : {}),
  });
}
