import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The text of a plain file. What else may stand in its place, a pipe say, is never waited for.
 *
 * @throws a Node system error; with code `EINVAL` when it is neither a file nor a folder
 */
export function readRegularFile(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(descriptor);
    // Reading a folder fails by itself, and says so.
    if (!status.isFile() && !status.isDirectory())
      throw Object.assign(new Error(`EINVAL: not a plain file, read '${file}'`), { code: 'EINVAL' });
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
