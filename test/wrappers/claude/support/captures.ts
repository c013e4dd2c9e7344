import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionState } from '../../../../contract/events.ts';

/** Folder of the captures of the real Claude Code. OMNI_DEV_CLAUDE_CAPTURES names another one of the same form. */
const dir =
  process.env.OMNI_DEV_CLAUDE_CAPTURES ?? path.join(import.meta.dirname, '../../../fixtures/claude');

/** One record of a capture: a line the host wrote (`in`), Claude wrote (`out`), stderr, or the exit. */
export interface CaptureRecord {
  t: number;
  dir: 'in' | 'out' | 'err' | 'exit';
  line?: string;
}

/** A state change: right from record `earliest` on, due at record `index`. -1 is the spawn. */
export interface ExpectedChange {
  state: SessionState;
  index: number;
  earliest: number;
}

export interface ExpectedIdentity {
  index: number;
  session_id: string;
  cwd?: string;
  model?: string;
}

export interface Capture {
  name: string;
  records: CaptureRecord[];
  changes: ExpectedChange[];
  identity: ExpectedIdentity[];
  /** Nobody wrote to the process: it had its prompt on the command line. */
  oneShot: boolean;
}

/** Every capture that comes with its expectation. */
export function loadCaptures(): Capture[] {
  return readdirSync(dir)
    .filter((file) => file.endsWith('.expect.json'))
    .sort()
    .map((file) => loadCapture(file.replace(/\.expect\.json$/, '')));
}

function loadCapture(name: string): Capture {
  const records = readFileSync(path.join(dir, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CaptureRecord);
  const expected = JSON.parse(readFileSync(path.join(dir, `${name}.expect.json`), 'utf8')) as Pick<
    Capture,
    'changes' | 'identity'
  >;
  return { name, records, ...expected, oneShot: !records.some((record) => record.dir === 'in') };
}

/** True for records that pass through the wrapper's pipes. */
export function isPiped(record: CaptureRecord): record is CaptureRecord & { line: string } {
  return (record.dir === 'in' || record.dir === 'out') && record.line !== undefined;
}
