import fs from 'node:fs';
import path from 'node:path';
import { claudeHome } from '../../../agents/claude/home.ts';
import {
  isSameProcess,
  isSession,
  type LiveRecord,
  parseLiveRecord,
} from '../../../agents/claude/live-record.ts';
import { type ProcessTable, processTable } from '../../../agents/system/process-table.ts';
import type { Surroundings } from '../../../contract/paths.ts';
import { readRegularFile } from '../../../contract/regular-file.ts';
import { agentPid } from '../agent-pid.ts';

/** A record is about 1 KB; anything much longer is none. */
const RECORD_LIMIT_BYTES = 65_536;

/**
 * Finds the live record of the Claude that runs under a program of ours: the program itself, or, on Linux, where parents
 * can be followed, what a launcher started.
 */
export class LiveSession {
  readonly #folder: string;
  readonly #childPid: number;
  readonly #platform: NodeJS.Platform;
  readonly #processes: ProcessTable;
  #pid: number | undefined;

  constructor(childPid: number, around: Surroundings) {
    this.#folder = claudeHome(around).liveRecords;
    this.#childPid = childPid;
    this.#platform = around.platform;
    this.#processes = processTable(around.platform);
  }

  /** The record as it is now, or undefined: not written yet, removed, or no Claude runs here. Never fails. */
  look(): LiveRecord | undefined {
    const known = this.#read(this.#pid ?? this.#childPid);
    if (known !== undefined || this.#platform !== 'linux') return known;
    for (const pid of this.#otherPids()) {
      const record = this.#read(pid);
      if (record === undefined) continue;
      this.#pid = pid;
      return record;
    }
    return undefined;
  }

  #read(pid: number): LiveRecord | undefined {
    try {
      const file = path.join(this.#folder, `${pid}.json`);
      if (fs.statSync(file).size > RECORD_LIMIT_BYTES) return undefined;
      const record = parseLiveRecord(readRegularFile(file));
      if (record === undefined || record.pid !== pid || !isSession(record)) return undefined;
      const found = this.#processes.read(pid);
      const alive = found !== null && found?.zombie !== true;
      return isSameProcess(record, { alive, token: found?.token, startedAt: found?.startedAt })
        ? record
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Pids of records whose processes descend from the program. */
  #otherPids(): number[] {
    try {
      return fs
        .readdirSync(this.#folder)
        .map((name) => /^(\d+)\.json$/.exec(name)?.[1])
        .filter((pid) => pid !== undefined)
        .map(Number)
        .filter((pid) => pid !== this.#childPid && agentPid(this.#childPid, pid) === pid);
    } catch {
      return [];
    }
  }
}
