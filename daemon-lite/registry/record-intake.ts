import { SESSION_TTL_MS } from './limits.ts';
import type { ProcessView } from './processes.ts';
import { sameAgentProcess } from './processes.ts';
import type { RecordSighting } from './record-layer.ts';
import { RecordLayer } from './record-layer.ts';
import type { Moment, SessionRow } from './session-row.ts';

/**
 * Records of sessions that aged out while their process lives on. An editor keeps a process for each chat ever opened,
 * so such a record brings its row back only when its status moves again.
 */
export class DormantRecords {
  readonly #statusAt = new Map<number, { id: string; at: number }>();

  /** True when the record stands exactly as it did when its row aged out, or was old when first seen. */
  covers(sighting: RecordSighting, now: Moment): boolean {
    const known = this.#statusAt.get(sighting.pid);
    if (known?.id === sighting.session_id && sighting.statusAt <= known.at) return true;
    const probe = new RecordLayer(sighting, now.awake);
    const old = now.wall - sighting.statusAt > SESSION_TTL_MS;
    if (!old || probe.keepsAlive) return false;
    this.remember(sighting.pid, sighting.session_id, sighting.statusAt);
    return true;
  }

  remember(pid: number, id: string, at: number): void {
    this.#statusAt.set(pid, { id, at });
  }

  forget(pid: number): void {
    this.#statusAt.delete(pid);
  }
}

/** Puts a record's word on its row. True when the record is new or its status moved. */
export function applyRecord(row: SessionRow, sighting: RecordSighting, now: Moment): boolean {
  const known = row.records.get(sighting.pid);
  const moved = known === undefined || known.update(sighting, now.awake);
  const record = known ?? new RecordLayer(sighting, now.awake);
  row.records.set(sighting.pid, record);
  if (row.ownership.owner === undefined) row.ownership.owner = { pid: sighting.pid };
  if (row.ownership.owner.pid === sighting.pid && sighting.token !== undefined) {
    row.ownership.token = sighting.token;
    row.ownership.seenAlive = true;
  }
  row.fill({ cwd: sighting.cwd, repo: sighting.repo, transcript_path: sighting.transcript_path });
  if (moved && record.state !== undefined) row.lastEvent = { stream_state: record.state };
  if (moved || record.keepsAlive) row.seen(now);
  if (record.everBusy) row.prompted = true;
  return moved;
}

/**
 * The process `pid` no longer works on the session. When another live record is on it, that process goes on with it and
 * the row does not end: true.
 */
export function handToOtherRecord(row: SessionRow, pid: number, processes: ProcessView): boolean {
  const isSame = (other: number) => sameAgentProcess(processes, other, pid);
  const heir = [...row.records.values()].find((record) => !isSame(record.pid));
  for (const record of row.records.keys()) if (isSame(record)) row.records.delete(record);
  if (heir === undefined) return false;
  if (row.ownership.owner !== undefined && isSame(row.ownership.owner.pid)) {
    row.ownership.handTo({ pid: heir.pid }, row.shownState ?? 'idle');
    row.ownership.token = heir.token;
    row.detachOtherProcesses();
  }
  row.noteOtherProcesses(processes);
  return true;
}
