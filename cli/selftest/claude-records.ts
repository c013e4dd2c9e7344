import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  isSameProcess,
  type LiveRecord,
  parseLiveRecord,
  readStatus,
} from '../../agents/claude/live-record.ts';
import { processTable } from '../../agents/system/process-table.ts';
import type { SessionState } from '../../contract/events.ts';

const POLL_MS = 10;

/** Watches the folder of Claude's live-process records and remembers what was in it. */
export class RecordWatch {
  readonly #folder: string;
  readonly #table = processTable(process.platform);
  readonly #timer: NodeJS.Timeout;
  readonly states = new Set<SessionState>();
  readonly unknownWords = new Set<string>();
  /** True once a record file of the right shape was seen. */
  found = false;
  /** True once a file was seen that is no record as we know them. */
  foundOther = false;
  hasStatus = false;
  /** Whether the record's process start is its process's; undefined while no record was seen. */
  isSameProcess: boolean | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#timer = setInterval(() => this.look(), POLL_MS);
  }

  /** True when no record is left now. */
  get isEmpty(): boolean {
    return this.#records().length === 0;
  }

  look(): void {
    for (const name of this.#records()) this.#take(readText(path.join(this.#folder, name)));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #records(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => /^\d+\.json$/.test(name));
    } catch {
      return [];
    }
  }

  #take(text: string): void {
    const record = parseLiveRecord(text);
    if (record === undefined) {
      this.foundOther ||= text !== '';
      return;
    }
    this.found = true;
    this.hasStatus ||= record.status !== undefined;
    const reading = readStatus(record, Date.now());
    if (reading === 'unknown_word') this.unknownWords.add(record.status ?? '');
    if (typeof reading === 'object') this.states.add(reading.state);
    this.#compareProcess(record);
  }

  #compareProcess(record: LiveRecord): void {
    if (this.isSameProcess === true) return;
    const entry = this.#table.read(record.pid);
    if (entry === undefined || entry === null) return;
    const found = { alive: true, token: entry.token, startedAt: entry.startedAt };
    this.isSameProcess = isSameProcess(record, found);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
