import { describe, expect, it } from 'vitest';
import { daemonFindings } from '../../cli/doctor/daemon-findings.ts';
import { type InstallationFacts, installationFindings } from '../../cli/doctor/installation-findings.ts';
import { type ServiceFacts, serviceFindings } from '../../cli/doctor/service-findings.ts';
import { IMPLEMENTATION } from '../../contract/version.ts';
import { versionSkew } from '../../daemon-lite/service/status.ts';

const FACTS: ServiceFacts = {
  manager: 'systemd',
  reach: 'here',
  standing: 'running',
  failure: undefined,
  files: [{ file: '/u/a.socket', change: 'nothing' }],
  missingCommand: undefined,
  inspect: 'systemctl --user status x',
};

describe('doctor on the service manager', () => {
  it('has nothing to say where nothing was installed', () => {
    expect(serviceFindings(undefined)).toMatchObject([{ level: 'ok', check: 'service' }]);
  });

  it.each<[string, Partial<ServiceFacts>, string[]]>([
    ['it keeps the daemon', {}, ['ok']],
    ['it would start it', { standing: 'armed' }, ['ok']],
    ['it was stopped', { standing: 'off' }, ['warning']],
    ['it failed', { standing: 'off', failure: 'x failed (exit-code)' }, ['problem']],
    ['it cannot be asked', { reach: 'unreachable', standing: 'off' }, ['warning']],
    ['a file is gone', { files: [{ file: '/u', change: 'create' }] }, ['problem', 'ok']],
    ['a file is of another version', { files: [{ file: '/u', change: 'rewrite' }] }, ['warning', 'ok']],
    ['somebody changed a file', { files: [{ file: '/u', change: 'refused' }] }, ['warning', 'ok']],
    ['what it runs is gone', { missingCommand: '/d/bin/omni-dev' }, ['problem']],
  ])('judges that %s', (_what, over, levels) => {
    const findings = serviceFindings({ ...FACTS, ...over });
    expect(findings.map(({ level }) => level)).toEqual(levels);
    for (const { level, fix } of findings) expect(fix !== undefined).toBe(level !== 'ok');
  });
});

describe('doctor on the installation behind the shims', () => {
  const facts: InstallationFacts = { cli: '/npx/omni-dev.cjs', isThere: true, hasCopy: true };

  it.each<[string, InstallationFacts | undefined, string[]]>([
    ['none is installed', undefined, []],
    ['it is there', facts, ['ok']],
    ['it is gone and its copies run', { ...facts, isThere: false }, ['warning']],
    ['the copies are gone too', { ...facts, isThere: false, hasCopy: false }, ['problem']],
  ])('judges that %s', (_what, given, levels) => {
    const findings = installationFindings(given);
    expect(findings.map(({ level }) => level)).toEqual(levels);
    for (const { level, fix } of findings) expect(fix !== undefined).toBe(level !== 'ok');
  });
});

describe('doctor on a daemon of another build', () => {
  it('names both builds and the fix, also of one version', () => {
    const own = { version: '1.0.0', commit: 'abc' };
    const status = {
      running: true,
      implementation: IMPLEMENTATION,
      version: '1.0.0',
      commit: 'def',
      services: [],
    } as const;
    const skew = versionSkew({ ...status, services: [] }, own);
    const [finding] = daemonFindings({
      status: { ...status, services: [] },
      skew,
      records: [],
      socket: '/s',
      own,
    });
    expect(finding).toEqual({
      check: 'daemon',
      level: 'warning',
      text: 'running, v1.0.0 def, but this program is v1.0.0 abc',
      fix: 'omni-dev daemon restart',
    });
  });
});
