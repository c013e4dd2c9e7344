import { type Finding, ok, problem } from './finding.ts';

/** The Node that an installation starts, and what became of it. */
export interface NodeFacts {
  /** Version of the Node that runs this command. */
  own: { path: string; version: string };
  /** The Node that the installed shims start; absent when nothing is installed. */
  installed?: { path: string; version: string | undefined };
  oldestMajor: number;
}

/** Judges the Node of this command and the one that the shims start. */
export function nodeFindings({ own, installed, oldestMajor }: NodeFacts): Finding[] {
  const check = 'node';
  const mine = ok(check, `this command runs on Node ${own.version} (${own.path})`);
  if (installed === undefined) return [mine];
  const fix = 'omni-dev sessions install-wrapper   (picks a Node again)';
  if (installed.version === undefined) {
    const gone = `the shims' Node ${installed.path} does not run; they search for another one at each start`;
    return [mine, problem(check, gone, fix)];
  }
  if (Number.parseInt(installed.version, 10) < oldestMajor) {
    const old = `the shims' Node ${installed.path} is ${installed.version}, older than ${oldestMajor}`;
    return [mine, problem(check, old, fix)];
  }
  return [mine, ok(check, `the shims run on Node ${installed.version} (${installed.path})`)];
}
