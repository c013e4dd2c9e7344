import type { Surroundings } from '../contract/paths.ts';

/** A stream that may be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  writableNeedDrain?: boolean;
};

/** A stream that may be a keyboard. */
export type InputStream = NodeJS.ReadableStream & {
  isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  unref?(): unknown;
};

/** Everything a command may touch, passed in so that tests own it. */
export interface CliContext {
  around: Surroundings;
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  /** Folder of the start-up bundles (`daemon.cjs`, `claude-wrap.cjs`, ...). */
  programsDir: string;
  /** Wall-clock milliseconds since 1970. */
  wall(): number;
  /** Aborted when nobody reads our output any more. A command that goes on by itself ends then. */
  readerGone: AbortSignal;
}

/** Whether colours may be written to a stream: a terminal only, and not against NO_COLOR or TERM=dumb. */
export function wantsColour(context: CliContext, stream: OutputStream): boolean {
  const { NO_COLOR, TERM } = context.around.env;
  return stream.isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
}
