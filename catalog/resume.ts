import fs from 'node:fs';
import { OmniDevError } from '../contract/errors.ts';
import type { ResumeSpec, Session } from './session.ts';

/**
 * The spec to resume a session with, or the reason why not.
 *
 * @param force also a running session: a second agent joins its conversation then
 * @throws OmniDevError RESUME_RUNNING, RESUME_NOTHING (no prompt, no known directory), RESUME_NO_TRANSCRIPT,
 *   RESUME_NO_DIRECTORY
 */
export function resumeSpecOf(session: Session, force: boolean): ResumeSpec {
  const name = `${session.harness}:${session.id}`;
  if (session.state === 'running' && !force) {
    const pid = session.runtime?.pid;
    throw new OmniDevError(
      'RESUME_RUNNING',
      `${name} is running${pid === undefined ? '' : ` (pid ${pid})`}: resuming it would put a second agent on the same ` +
        'conversation; --force does it all the same',
    );
  }
  if (session.resume === undefined) {
    throw new OmniDevError(
      'RESUME_NOTHING',
      `${name} has no prompt a person typed: there is nothing to resume`,
    );
  }
  if (!fs.existsSync(session.transcript)) {
    throw new OmniDevError('RESUME_NO_TRANSCRIPT', `${name} is gone: ${session.transcript} does not exist`);
  }
  return session.resume;
}

/** @throws OmniDevError RESUME_NO_DIRECTORY when the directory to resume in does not exist any more */
export function requireDirectory(spec: ResumeSpec): void {
  if (fs.statSync(spec.cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new OmniDevError(
    'RESUME_NO_DIRECTORY',
    `the session's directory ${spec.cwd} does not exist any more; create it, or run in another one: ${commandLine(spec)}`,
  );
}

/** The spec as one line for a POSIX shell, directory included. */
export function shellLine(spec: ResumeSpec): string {
  return `cd ${quote(spec.cwd)} && ${commandLine(spec)}`;
}

function commandLine({ command, prepare = [], env = {} }: ResumeSpec): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  return [...prepare, command].map((words) => [...variables, ...words.map(quote)].join(' ')).join(' && ');
}

/** Quotes what a shell would not take literally. */
function quote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
