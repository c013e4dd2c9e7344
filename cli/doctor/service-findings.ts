import type { FileStep } from '../../shims/service/edit-service-files.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** What is known of the service manager's part; undefined when `daemon install` was not run for this socket. */
export interface ServiceFacts {
  manager: string;
  reach: 'here' | 'missing' | 'unreachable';
  standing: 'running' | 'armed' | 'off';
  /** What the manager says of a failure. */
  failure: string | undefined;
  files: readonly FileStep[];
  /** The command that the definition names, when it is gone. */
  missingCommand: string | undefined;
  inspect: string;
}

const INSTALL = 'omni-dev daemon install';

/** Judges what `daemon install` put into the service manager. */
export function serviceFindings(facts: ServiceFacts | undefined): Finding[] {
  const check = 'service';
  if (facts === undefined) {
    return [ok(check, `not installed: the daemon starts when something needs it (${INSTALL} keeps it)`)];
  }
  const { manager, reach, standing, failure, inspect, missingCommand } = facts;
  const files = fileFindings(facts);
  if (missingCommand !== undefined) {
    return [...files, problem(check, `${manager} would run ${missingCommand}, which is gone`, INSTALL)];
  }
  if (reach !== 'here') {
    const text = `${manager} is to keep the daemon, but cannot be asked from this session`;
    return [...files, warning(check, text, 'look again in a login session of this user')];
  }
  if (failure !== undefined) {
    return [...files, problem(check, failure, `${inspect}; then: omni-dev daemon start`)];
  }
  if (standing === 'off') {
    return [
      ...files,
      warning(check, `${manager} is to keep the daemon, but was stopped`, 'omni-dev daemon start'),
    ];
  }
  const says = standing === 'running' ? 'keeps the daemon' : 'starts the daemon at the next connection';
  return [...files, ok(check, `${manager} ${says}`)];
}

function fileFindings({ files }: ServiceFacts): Finding[] {
  return files.flatMap(({ file, change }) => {
    if (change === 'nothing') return [];
    if (change === 'create') return [problem('service', `${file} is gone`, INSTALL)];
    if (change === 'rewrite') {
      return [warning('service', `${file} is not as this version and environment would write it`, INSTALL)];
    }
    const fix = `move your changes into a drop-in and the file away, then: ${INSTALL}`;
    return [warning('service', `${file} was changed by somebody since omni-dev wrote it`, fix)];
  });
}
