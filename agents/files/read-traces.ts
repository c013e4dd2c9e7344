import fs from 'node:fs';
import { LineSplitter } from '../../contract/line-splitter.ts';
import { parseObject } from './jsonl-window.ts';
import type { Trace, TraceReader } from './trace.ts';

/** Longer lines hold files and images, not what was done. */
const LINE_LIMIT_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 262_144;

/** How far a whole file is read. */
export interface TraceLimits {
  bytes: number;
  /** True when no more time is to be spent. */
  isOver(): boolean;
}

/**
 * Reads a whole session file for traces, as far as the limits go. Memory is bounded whatever the file holds.
 *
 * @returns false when the file was not read to its end, or a line of it was too long
 * @throws a Node system error when the file cannot be opened or read
 */
export function readTraces(
  file: string,
  reader: TraceReader,
  limits: TraceLimits,
  take: (trace: Trace) => void,
): boolean {
  let complete = true;
  const splitter = new LineSplitter(
    {
      line(bytes) {
        const record = reader.mayTell(bytes) ? parseObject(bytes) : undefined;
        if (record !== undefined) for (const trace of reader.push(record)) take(trace);
      },
      oversize() {
        complete = false;
      },
    },
    { limit: LINE_LIMIT_BYTES },
  );
  const fd = fs.openSync(file, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let total = 0; ; ) {
      if (total >= limits.bytes || limits.isOver()) return false;
      const got = fs.readSync(fd, chunk, 0, chunk.length, null);
      if (got === 0) break;
      total += got;
      splitter.push(chunk.subarray(0, got));
    }
    splitter.end();
    return complete;
  } finally {
    fs.closeSync(fd);
  }
}
