/** A process as `ps -axo pid=,ppid=,tty=` has it. */
export interface TerminalProcess {
  parent: number;
  /** Path of its terminal, or undefined when it has none. */
  tty: string | undefined;
}

/** A pane of tmux and the terminal inside it. */
export interface TmuxPane {
  tty: string;
  id: string;
}

/** Reads `ps -axo pid=,ppid=,tty=`. Lines of another shape are passed over. */
export function parseProcesses(output: string): Map<number, TerminalProcess> {
  const processes = new Map<number, TerminalProcess>();
  for (const line of output.split('\n')) {
    const [, pid, parent, tty] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s*$/.exec(line) ?? [];
    if (pid === undefined || tty === undefined) continue;
    processes.set(Number(pid), {
      parent: Number(parent),
      tty: /^\?+$|^-$/.test(tty) ? undefined : `/dev/${tty}`,
    });
  }
  return processes;
}

/** Reads `tmux list-panes -a -F '#{pane_tty} #{pane_id}'`. */
export function parsePanes(output: string): TmuxPane[] {
  return output.split('\n').flatMap((line) => {
    const [, tty, id] = /^(\/dev\/\S+) (%\d+)$/.exec(line) ?? [];
    return tty === undefined || id === undefined ? [] : [{ tty, id }];
  });
}

const MOST_ANCESTORS = 64;

/**
 * The pane that a process runs in: by its own terminal or that of an ancestor, since a program in between may have put
 * it on a terminal of its own.
 */
export function paneOf(
  pid: number,
  processes: ReadonlyMap<number, TerminalProcess>,
  panes: readonly TmuxPane[],
): TmuxPane | undefined {
  let at: number | undefined = pid;
  for (let step = 0; at !== undefined && at > 1 && step < MOST_ANCESTORS; step++) {
    const process: TerminalProcess | undefined = processes.get(at);
    const pane = panes.find(({ tty }) => tty === process?.tty);
    if (pane !== undefined) return pane;
    at = process?.parent;
  }
  return undefined;
}
