/** How the wrapper runs. */
export interface Mode {
  mode: 'exec_replace' | 'wrap';
  rewrite: boolean;
  reports: boolean;
}

/** Decided by stdout alone: on a terminal the wrapper gets out of the way, and neither rewrites nor reports. */
export function modeFor(stdoutIsTerminal: boolean): Mode {
  return stdoutIsTerminal
    ? { mode: 'exec_replace', rewrite: false, reports: false }
    : { mode: 'wrap', rewrite: true, reports: true };
}
