import { systemErrorCode } from '../contract/errors.ts';
import type { CliContext, OutputStream } from './context.ts';

/**
 * Writes text or bytes and resolves when the stream has taken all of it, so that a command that returns has written everything
 * however slow its reader is. A reader that has gone away is no error.
 */
export function writeAll(stream: OutputStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error?: Error | null) => {
      if (error && !isReaderGone(error)) reject(error);
      else resolve();
    });
  });
}

/** Prints one line on stdout. */
export function print(context: CliContext, line: string): Promise<void> {
  return writeAll(context.stdout, `${line}\n`);
}

/** Prints several lines on stdout in one write. */
export function printLines(context: CliContext, lines: readonly string[]): Promise<void> {
  return lines.length === 0 ? Promise.resolve() : writeAll(context.stdout, `${lines.join('\n')}\n`);
}

/** Prints a value as JSON, pretty, two spaces. */
export function printJson(context: CliContext, value: unknown): Promise<void> {
  return writeAll(context.stdout, `${JSON.stringify(value, null, 2)}\n`);
}

/** Prints a remark on stderr. */
export function remark(context: CliContext, line: string): Promise<void> {
  return writeAll(context.stderr, `${line}\n`);
}

/** True for the errors of a pipe or terminal whose other end was closed. */
export function isReaderGone(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'EPIPE' || code === 'EIO' || code === 'ERR_STREAM_DESTROYED';
}
