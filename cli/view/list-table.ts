import { type Row, toRows } from './row.ts';

/** Text of a list without sessions. */
export const NO_SESSIONS = 'No active agent sessions.';

const HEADER = columns('STATE', 'AGENT', 'SOURCE', 'REPO', 'AGE', 'CWD');

/**
 * The lines of `sessions list`: a header and one row per session in the daemon's order, nothing cut, or one line that
 * says there is none (the sessions contract's table).
 *
 * @param nowMs wall-clock milliseconds, for the ages
 */
export function listLines(payload: unknown, nowMs: number): string[] {
  const rows = toRows(payload);
  return rows.length === 0 ? [NO_SESSIONS] : [HEADER, ...rows.map((row) => listLine(row, nowMs))];
}

function listLine(row: Row, nowMs: number): string {
  const source = row.inWindow ? 'vscode' : 'terminal';
  return columns(
    stateCell(row),
    row.agent,
    source,
    row.repo ?? '-',
    `${ageSeconds(row, nowMs)}s`,
    row.cwd ?? '-',
  );
}

/** The state's word, with what a person must not miss: a failed turn, work that goes on, a feed that went silent. */
export function stateCell(row: Row): string {
  const stale = row.stale ? '?' : '';
  if (row.state !== 'idle') return `${row.look.listWord}${stale}`;
  if (row.background > 0) return `idle (+${row.background})${stale}`;
  return row.outcome === 'failed' ? `idle (failed)${stale}` : `idle${stale}`;
}

/** Whole seconds since the session was last heard of: never negative, 0 when unknown. */
export function ageSeconds(row: Row, nowMs: number): number {
  return row.seenAt === undefined ? 0 : Math.max(0, Math.floor((nowMs - row.seenAt) / 1000));
}

function columns(
  state: string,
  agent: string,
  source: string,
  repo: string,
  age: string,
  cwd: string,
): string {
  return `${pad(state, 13)} ${pad(agent, 6)} ${pad(source, 8)} ${pad(repo, 20)} ${age.padStart(5)}  ${cwd}`;
}

/** Pads by characters, not by cells: the contract's table is text for other programs too. */
function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}
