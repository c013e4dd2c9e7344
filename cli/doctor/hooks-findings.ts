import { type Finding, ok, problem, warning } from './finding.ts';

/** One hook entry of ours in an agent's settings. */
export interface InstalledHook {
  event: string;
  command: string;
  /** Whether its program is there. */
  programExists: boolean;
  /** True when it is the command that an installation writes today. */
  isCurrent: boolean;
  /** True when somebody adapted it: it is left alone. */
  isCustomised: boolean;
}

export interface ClaudeHookFacts {
  file: string;
  /** Why the file cannot be read, if it cannot. */
  broken?: string;
  hooks: readonly InstalledHook[];
  /** Events that an installation hooks today. */
  wantedEvents: readonly string[];
  /** True when the settings switch every hook off. */
  allDisabled: boolean;
  /** Entries of other tools on the events that ours are on. */
  others: number;
}

const INSTALL = 'omni-dev sessions install-hooks';

/** Judges Claude's hooks: installed, stale, doubled, switched off, in company. */
export function claudeHookFindings(facts: ClaudeHookFacts): Finding[] {
  const check = 'claude-hooks';
  const { file, hooks, broken } = facts;
  if (broken !== undefined)
    return [problem(check, `${file}: ${broken}`, 'repair the file; Claude cannot read it either')];
  if (hooks.length === 0) {
    return [ok(check, 'not installed, and not needed for a Claude that keeps live records (2.1 and newer)')];
  }
  const findings = [
    ...programFindings(check, hooks),
    ...doubledFindings(check, hooks),
    ...missingFindings(facts),
  ];
  if (facts.allDisabled) {
    findings.push(
      warning(check, `${file} switches every hook off (disableAllHooks)`, `remove that line from ${file}`),
    );
  }
  if (findings.length === 0) findings.push(ok(check, `installed on ${hooks.length} event(s)`));
  return [...findings, ...companyFindings(check, facts.others)];
}

function companyFindings(check: string, others: number): Finding[] {
  return others > 0 ? [ok(check, `${others} hook(s) of other tools run on the same events`)] : [];
}

function programFindings(check: string, hooks: readonly InstalledHook[]): Finding[] {
  const gone = hooks.find(({ programExists }) => !programExists);
  if (gone !== undefined) return [problem(check, `the program of a hook is gone: ${gone.command}`, INSTALL)];
  const stale = hooks.find(({ isCurrent, isCustomised }) => !isCurrent && !isCustomised);
  return stale === undefined
    ? []
    : [warning(check, `a hook runs another omni-dev: ${stale.command}`, INSTALL)];
}

function doubledFindings(check: string, hooks: readonly InstalledHook[]): Finding[] {
  const events = hooks.map(({ event }) => event);
  const doubled = [...new Set(events.filter((event, index) => events.indexOf(event) !== index))];
  if (doubled.length === 0) return [];
  return [
    warning(check, `more than one sink on ${doubled.join(', ')}: each event is reported twice`, INSTALL),
  ];
}

function missingFindings({ hooks, wantedEvents }: ClaudeHookFacts): Finding[] {
  const present = new Set(hooks.map(({ event }) => event));
  const missing = wantedEvents.filter((event) => !present.has(event));
  return missing.length === 0
    ? []
    : [warning('claude-hooks', `not installed on ${missing.join(', ')}`, INSTALL)];
}

export interface CodexHookFacts {
  isHere: boolean;
  /** Why hooks or trust cannot be read, if they cannot. */
  broken?: string;
  /** The entries of ours in its hooks file. */
  installed: readonly InstalledHook[];
  /** Entries of other tools on the events that ours are on. */
  others: number;
  /** Each hook of ours, and whether Codex runs it. */
  hooks: readonly { event: string; trust: 'trusted' | 'untrusted' | 'modified' | 'disabled' }[];
}

/** Judges Codex's hooks: stale, doubled, in company, and skipped without a word because nobody told Codex to trust them (C6). */
export function codexHookFindings({ isHere, broken, installed, others, hooks }: CodexHookFacts): Finding[] {
  const check = 'codex-hooks';
  if (broken !== undefined)
    return [problem(check, broken, 'repair the file; until then nothing of ours writes it')];
  if (hooks.length === 0) {
    return isHere ? [ok(check, 'not installed, and not needed while Codex runs on its shared server')] : [];
  }
  const findings = [
    ...programFindings(check, installed),
    ...doubledFindings(check, installed),
    ...trustFindings(check, hooks),
  ];
  if (findings.length === 0) findings.push(ok(check, `installed and trusted on ${hooks.length} event(s)`));
  return [...findings, ...companyFindings(check, others)];
}

function trustFindings(check: string, hooks: CodexHookFacts['hooks']): Finding[] {
  const skipped = hooks.filter(({ trust }) => trust !== 'trusted');
  if (skipped.length === 0) return [];
  const list = skipped.map(({ event, trust }) => `${event} (${trust})`).join(', ');
  return [warning(check, `Codex skips ${list}`, 'open codex, run /hooks and trust the omni-dev entries')];
}

export interface PiExtensionFacts {
  isHere: boolean;
  file: string;
  extension: 'missing' | 'ours' | 'foreign';
}

/** Judges pi's extension: without it nothing tells of pi's sessions. */
export function piFindings({ isHere, file, extension }: PiExtensionFacts): Finding[] {
  const check = 'pi-extension';
  if (extension === 'ours') return [ok(check, `${file} is in place`)];
  if (extension === 'foreign')
    return [problem(check, `${file} was not written by omni-dev`, `move ${file} away, then: ${INSTALL}`)];
  return isHere
    ? [warning(check, 'pi is here without our extension: its sessions are not seen', INSTALL)]
    : [];
}
