import path from 'node:path';
import { type FileVisitor, namesIn, type ReadProblem, stampOf } from '../files/stamped-file.ts';

/** `<ISO time with - for : and .>_<session id>.jsonl`; an id may hold any of `A-Za-z0-9._-`. */
const NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z_([A-Za-z0-9][A-Za-z0-9._-]*)\.jsonl$/;

/** The id in the name of a session file, or undefined when it is not one. */
export function piSessionIdOf(file: string): string | undefined {
  return NAME.exec(path.basename(file))?.[1];
}

/** Visits every session file in the sessions folder and in its folders per cwd, at one stat each. Nothing is opened. */
export function visitPiSessions(folder: string, problems: ReadProblem[], visit: FileVisitor): void {
  for (const name of namesIn(folder, problems)) {
    const entry = path.join(folder, name);
    if (name.endsWith('.jsonl')) visitFile(entry, problems, visit);
    else for (const file of namesIn(entry, problems)) visitFile(path.join(entry, file), problems, visit);
  }
}

function visitFile(file: string, problems: ReadProblem[], visit: FileVisitor): void {
  const sessionId = piSessionIdOf(file);
  const stamp = sessionId === undefined ? undefined : stampOf(file, problems);
  if (sessionId !== undefined && stamp !== undefined) visit(sessionId, file, stamp);
}
