/** One process as the platform describes it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  /** Name of the executable, without a path. */
  name: string;
  /** Opaque start-time token, only ever compared: `/proc`'s starttime, or `ps`'s start text. */
  token: string;
  /** Start as wall milliseconds, when it can be worked out. */
  startedAt?: number;
  /** Dead, but not yet waited for by its parent. */
  zombie: boolean;
  /** It has a controlling terminal. */
  terminal: boolean;
}

/** True for a process that outlived both its terminal and its parent: nobody can see or answer it any more. */
export function isOrphan(entry: ProcessEntry): boolean {
  return entry.parent === 1 && !entry.terminal;
}

/** Ticks per second of `/proc/<pid>/stat`: fixed at 100 for every program on Linux. */
const TICKS_PER_SECOND = 100;

/**
 * Parses `/proc/<pid>/stat`. The name stands in parentheses and may itself hold spaces and parentheses, so fields are
 * counted from the last closing one.
 *
 * @param bootMs wall time of the machine's start, in milliseconds.
 */
export function parseStat(text: string, bootMs: number | undefined): ProcessEntry | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open === -1 || close < open) return null;
  const rest = text.slice(close + 2).split(' ');
  const [state, parent] = rest;
  // Field 22 of the line; the part after the name begins with field 3.
  const token = rest[19];
  const pid = Number(text.slice(0, open));
  if (state === undefined || parent === undefined || token === undefined || !Number.isInteger(pid))
    return null;
  return {
    pid,
    parent: Number(parent),
    name: text.slice(open + 1, close),
    token,
    ...(bootMs === undefined ? {} : { startedAt: bootMs + (Number(token) / TICKS_PER_SECOND) * 1000 }),
    zombie: state === 'Z' || state === 'X',
    terminal: rest[4] !== '0',
  };
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+\d\d:\d\d:\d\d\s+\d{4})\s+(.*)$/;

/**
 * Parses the output of `ps -axo pid=,ppid=,stat=,tty=,lstart=,comm=` (C locale, UTC), by pid. Lines of another shape are
 * skipped. The token is the start text with its spaces made even.
 */
export function parsePsTable(output: string): Map<number, ProcessEntry> {
  const entries = new Map<number, ProcessEntry>();
  for (const line of output.split('\n')) {
    const [, pid, parent, state, terminal, started, command] = PS_LINE.exec(line) ?? [];
    if (pid === undefined || parent === undefined || started === undefined || command === undefined) continue;
    const token = started.replace(/\s+/g, ' ');
    const startedAt = Date.parse(`${token} UTC`);
    entries.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      name: command.trim().split('/').at(-1) ?? command,
      token,
      ...(Number.isNaN(startedAt) ? {} : { startedAt }),
      zombie: state?.startsWith('Z') === true,
      terminal: terminal !== undefined && !terminal.startsWith('?'),
    });
  }
  return entries;
}
