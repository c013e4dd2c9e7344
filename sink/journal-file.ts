import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../contract/errors.ts';
import { JOURNAL_LIMIT_BYTES, JOURNAL_MAX_AGE_MS } from './journal-record.ts';

/** What became of a journal write. */
export type JournalOutcome =
  | 'journaled'
  | 'no_runtime_dir'
  | 'too_long'
  | 'not_regular'
  | `journal_failed: ${string}`;

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Appends one line to a journal in a single write, so that concurrent hooks need no lock. Writes nothing before the
 * daemon's directory exists: a machine that never ran the daemon gets no journals. Never throws.
 *
 * @param file `<journals dir>/<agent>/<session id>.jsonl`; the journals directory lies in the daemon's directory.
 */
export function appendToJournal(file: string, line: string, now: number): JournalOutcome {
  try {
    const agentDir = path.dirname(file);
    const journal = openExisting(file) ?? createJournal(file, agentDir);
    if (journal === undefined) return 'no_runtime_dir';
    const { descriptor, created } = journal;
    try {
      const status = fstatSync(descriptor);
      if (!status.isFile()) return 'not_regular';
      if (status.size > JOURNAL_LIMIT_BYTES) return 'too_long';
      // A write that a full disk cut short left no newline: the next record must not be glued to it.
      const torn = status.size > 0 && !endsWithNewline(descriptor, status.size);
      writeSync(descriptor, torn ? `\n${line}` : line);
    } finally {
      closeSync(descriptor);
    }
    if (created) deleteOldSiblings(agentDir, path.basename(file), now);
    return 'journaled';
  } catch (error) {
    return `journal_failed: ${systemErrorCode(error) ?? 'unknown'}`;
  }
}

/** True for a directory, and for this user's own link to one: the daemon takes both. */
function isDirectory(dir: string): boolean {
  try {
    const found = lstatSync(dir);
    if (!found.isSymbolicLink()) return found.isDirectory();
    return found.uid === process.getuid?.() && statSync(dir).isDirectory();
  } catch {
    return false;
  }
}

interface OpenJournal {
  descriptor: number;
  created: boolean;
}

function openExisting(file: string): OpenJournal | undefined {
  try {
    return { descriptor: openSync(file, APPEND), created: false };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A new journal, or undefined while there is no directory of the daemon to put it in. */
function createJournal(file: string, agentDir: string): OpenJournal | undefined {
  const journalsDir = path.dirname(agentDir);
  if (!isDirectory(path.dirname(journalsDir))) return undefined;
  mkdirSync(journalsDir, { recursive: true, mode: 0o700 });
  mkdirSync(agentDir, { recursive: true, mode: 0o700 });
  return { descriptor: openSync(file, APPEND | constants.O_CREAT, 0o600), created: true };
}

function endsWithNewline(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}

/** Deletes journals that nobody wrote to for a week, so that an install without a daemon cannot gather them. */
function deleteOldSiblings(dir: string, own: string, now: number): void {
  for (const name of readdirSync(dir)) {
    if (name === own || !name.endsWith('.jsonl')) continue;
    const sibling = path.join(dir, name);
    try {
      const status = lstatSync(sibling);
      if (status.isFile() && now - status.mtimeMs > JOURNAL_MAX_AGE_MS) unlinkSync(sibling);
    } catch {
      // Another hook or the daemon was faster.
    }
  }
}
