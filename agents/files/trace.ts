/** Something a session is seen to have done. */
export type Trace =
  | { kind: 'file'; path: string; access: 'read' | 'written' }
  | { kind: 'commit'; sha: string; branch?: string; subject?: string }
  /** A shell command that ran. What it touched is not known. */
  | { kind: 'command'; text: string }
  | { kind: 'prompt'; text: string };

/** Reads the traces out of a session's records, given in order. */
export interface TraceReader {
  /** False for lines that need no parsing. May say true for lines without a trace. */
  mayTell(line: Buffer): boolean;
  push(record: Record<string, unknown>): Trace[];
}

/** What `git commit` prints: `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`. */
const COMMITTED = /^\[(\S[^\]]*?)(?: \(root-commit\))? ([0-9a-f]{7,64})\] (.*)$/gm;
const OUTPUT_LIMIT = 65_536;

/** The commits that a command reports having made. Other programs print such lines too: only `git … commit` is asked. */
export function commitsIn(command: string, output: string): Trace[] {
  if (!/\bgit\b[\s\S]*\bcommit\b/.test(command)) return [];
  return [...output.slice(0, OUTPUT_LIMIT).matchAll(COMMITTED)].map(([, branch, sha, subject]) => ({
    kind: 'commit',
    sha: sha ?? '',
    ...(branch === undefined || branch === 'detached HEAD' ? {} : { branch }),
    ...(subject === undefined ? {} : { subject }),
  }));
}
