import { type Finding, ok, problem, warning } from './finding.ts';

/** Where the shims of hooks, editors and the service manager come from; absent when none are installed. */
export interface InstallationFacts {
  /** The command line of the installation that wrote them. */
  cli: string;
  isThere: boolean;
  /** Whether the copies that they run are there. */
  hasCopy: boolean;
}

const AGAIN = 'npm install --global omni-dev && omni-dev setup';

/** Judges the installation behind the shims: npx and version managers delete theirs without a word. */
export function installationFindings(facts: InstallationFacts | undefined): Finding[] {
  const check = 'installation';
  if (facts === undefined) return [];
  const { cli, isThere, hasCopy } = facts;
  if (!hasCopy) {
    return [problem(check, 'the copies that the shims run are gone: agents run without us', AGAIN)];
  }
  if (isThere) return [ok(check, `the shims were written by ${cli}`)];
  const text = `${cli} is gone; the shims run the copies that were made of it, which nothing upgrades`;
  return [warning(check, text, AGAIN)];
}
