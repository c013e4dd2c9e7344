/** One line of a capture: what went in, came out, or how the process ended. Times are wall-clock milliseconds. */
export interface CapturedLine {
  t: number;
  dir: 'in' | 'out' | 'err' | 'exit';
  line: string;
}

/** How a process ended. */
export interface ExitStatus {
  code: number | null;
  signal: NodeJS.Signals | null;
}
