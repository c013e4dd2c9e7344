import path from 'node:path';
import { namesIn, type ReadProblem, type StampedFile, tryStampOf } from '../files/stamped-file.ts';

/** A session file found on disk. */
export interface PiSessionFile extends StampedFile {
  sessionId: string;
}

/** `<ISO time with - for : and .>_<session id>.jsonl`; an id may hold any of `A-Za-z0-9._-`. */
const NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z_([A-Za-z0-9][A-Za-z0-9._-]*)\.jsonl$/;

/** The id in the name of a session file, or undefined when it is not one. */
export function piSessionIdOf(file: string): string | undefined {
  return NAME.exec(path.basename(file))?.[1];
}

/** Every session file in the sessions folder and in its folders per cwd, at one stat each. Nothing is opened. */
export function listPiSessions(folder: string, problems: ReadProblem[]): PiSessionFile[] {
  const found: PiSessionFile[] = [];
  for (const name of namesIn(folder, problems)) {
    const entry = path.join(folder, name);
    if (name.endsWith('.jsonl')) collect(entry, found, problems);
    else for (const file of namesIn(entry, problems)) collect(path.join(entry, file), found, problems);
  }
  return found;
}

function collect(file: string, found: PiSessionFile[], problems: ReadProblem[]): void {
  const sessionId = piSessionIdOf(file);
  if (sessionId === undefined) return;
  const stamp = tryStampOf(file, problems);
  if (stamp !== undefined) found.push({ ...stamp, sessionId });
}
