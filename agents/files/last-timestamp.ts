import fs from 'node:fs';
import { parseRfc3339 } from '../../contract/clock.ts';

/** Read of a file's end: some lines of every agent's. */
const END_BYTES = 8_192;
const TIMESTAMP = /"timestamp":"([0-9T:.Z+-]{20,35})"/g;

const end = Buffer.allocUnsafe(END_BYTES);

/**
 * A guess at when anything last happened in a session, in ms since 1970: the latest time in the last few kilobytes of its
 * file. Costs a fraction of reading the session; a quoted time or a long last line can mislead it.
 *
 * @returns undefined when there is no time, or the file cannot be read
 */
export function guessLastActivity(file: string, size: number): number | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(file, 'r');
    const got = fs.readSync(fd, end, 0, END_BYTES, Math.max(0, size - END_BYTES));
    const times = [...end.toString('latin1', 0, got).matchAll(TIMESTAMP)].flatMap(
      ([, text]) => parseRfc3339(text ?? '') ?? [],
    );
    return times.length === 0 ? undefined : Math.max(...times);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}
