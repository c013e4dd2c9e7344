import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Session } from '../../../catalog/session.ts';
import { CodexTerminal as Terminal } from '../../lab/codex-terminal.ts';
import { OMNI_DEV } from '../../support/programs.ts';

const run = promisify(execFile);
const LIMIT_MS = 60_000;

type Environment = Record<string, string>;

/** Runs a program to its end and returns what it printed; throws with its errors when it fails. */
export async function runProgram(
  file: string,
  args: string[],
  options: { cwd: string; env: Environment },
): Promise<string> {
  const child = run(file, args, { ...options, timeout: LIMIT_MS });
  child.child.stdin?.end();
  return (await child).stdout;
}

/** The sessions the built command finds, by any Node. */
export async function findSessions(
  env: Environment,
  node = process.execPath,
  args: string[] = [],
): Promise<Session[]> {
  const output = await runProgram(node, [OMNI_DEV, 'sessions', 'find', '-n', '0', '-o', 'json', ...args], {
    cwd: '/',
    env,
  });
  const { sessions, errors } = JSON.parse(output) as { sessions: Session[]; errors: unknown[] };
  if (errors.length > 0) throw new Error(`could not be read: ${JSON.stringify(errors)}`);
  return sessions;
}

/** The one session with a title. */
export function titled(sessions: readonly Session[], title: string): Session {
  const found = sessions.filter((session) => session.title === title);
  const [session] = found;
  if (session === undefined || found.length > 1) {
    throw new Error(
      `${found.length} sessions are titled ${title}: ${sessions.map((one) => one.title).join(', ')}`,
    );
  }
  return session;
}

/** `omni-dev sessions resume` in a terminal, started from a directory that is not the session's. */
export function resumeInTerminal(id: string, env: Environment, args: string[] = []): Terminal {
  return new Terminal({
    command: process.execPath,
    args: [OMNI_DEV, 'sessions', 'resume', id, ...args],
    cwd: '/',
    env: { ...env, TERM: 'xterm-256color' },
  });
}
