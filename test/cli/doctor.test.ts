import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DaemonFacts, daemonFindings } from '../../cli/doctor/daemon-findings.ts';
import { doctorLines } from '../../cli/doctor/doctor-lines.ts';
import { type Finding, worstOf } from '../../cli/doctor/finding.ts';
import { gatherSocket } from '../../cli/doctor/gather.ts';
import { nodeFindings } from '../../cli/doctor/node-findings.ts';
import { type SocketFacts, socketFindings } from '../../cli/doctor/socket-findings.ts';
import { type WrapperFacts, wrapperFindings } from '../../cli/doctor/wrapper-findings.ts';
import { createPaint } from '../../cli/view/paint.ts';
import { resolvePaths } from '../../contract/paths.ts';
import { IMPLEMENTATION } from '../../contract/version.ts';
import { runCommand } from './support/run-cli.ts';

const paths = resolvePaths({ env: {}, platform: 'linux', home: '/home/me', uid: 1000 });
const own = { version: '1.0.0', commit: 'abc' };

/** Level and check of each finding, and that every bad one has a fix. */
function levels(findings: Finding[]): string[] {
  for (const { level, fix } of findings) expect(fix !== undefined).toBe(level !== 'ok');
  return findings.map(({ level, check }) => `${level} ${check}`);
}

describe('doctor on the socket', () => {
  const mine = { sticky: false, uid: 1000 };
  const facts: SocketFacts = {
    paths,
    uid: 1000,
    socket: { kind: 'socket', mode: 0o600, ...mine },
    directory: { kind: 'directory', mode: 0o700, ...mine },
  };
  const withFacts = (over: Partial<SocketFacts>) => levels(socketFindings({ ...facts, ...over }));

  it('is content with a private socket in a private directory, or none yet', () => {
    expect(withFacts({})).toEqual(['ok socket-path', 'ok socket-directory', 'ok socket']);
    expect(withFacts({ socket: { kind: 'missing' }, directory: { kind: 'missing' } })).toEqual([
      'ok socket-path',
      'ok socket-directory',
      'ok socket',
    ]);
  });

  it.each<[string, Partial<SocketFacts>, string]>([
    [
      'others may enter the directory',
      { directory: { kind: 'directory', mode: 0o755, ...mine } },
      'warning socket-directory',
    ],
    [
      'the directory is somebody else’s',
      { directory: { kind: 'directory', mode: 0o700, sticky: false, uid: 7 } },
      'problem socket-directory',
    ],
    [
      'the directory is missing and cannot be made',
      { directory: { kind: 'missing' }, blockedBy: '/home/a' },
      'problem socket-directory',
    ],
    [
      'the directory is a link',
      { directory: { kind: 'link', mode: 0o777, ...mine } },
      'problem socket-directory',
    ],
    ['others may connect', { socket: { kind: 'socket', mode: 0o666, ...mine } }, 'problem socket'],
    [
      'the socket is somebody else’s',
      { socket: { kind: 'socket', mode: 0o600, sticky: false, uid: 7 } },
      'problem socket',
    ],
    ['a file is in its place', { socket: { kind: 'file', mode: 0o600, ...mine } }, 'warning socket'],
  ])('speaks up when %s', (_, over, finding) => expect(withFacts(over)).toContain(finding));

  it('E1: names a path that is too long and says when the short one stands in', () => {
    const long = resolvePaths({ env: {}, platform: 'linux', home: `/home/${'x'.repeat(90)}`, uid: 1000 });
    expect(socketFindings({ ...facts, paths: long })[0]?.text).toContain('short one stands in');
    const override = { ...paths, socket: `/${'x'.repeat(120)}` };
    expect(levels(socketFindings({ ...facts, paths: override }))[0]).toBe('problem socket-path');
  });

  it('accepts the shared directory of the system', () => {
    const directory = { kind: 'directory', mode: 0o777, sticky: true, uid: 0 } as const;
    expect(withFacts({ directory })).toContain('ok socket-directory');
  });
});

describe('doctor on the daemon', () => {
  const facts: DaemonFacts = {
    status: { running: true, version: '1.0.0', implementation: IMPLEMENTATION, pid: 5, services: [] },
    skew: undefined,
    records: [],
    socket: '/s',
    own,
  };
  const withFacts = (over: Partial<DaemonFacts>) => daemonFindings({ ...facts, ...over });

  it('is content with its own build, and with none running', () => {
    expect(levels(withFacts({}))).toEqual(['ok daemon', 'ok unknown-words']);
    expect(levels(withFacts({ status: { running: false } }))).toEqual(['ok daemon']);
  });

  it('tells another build, another implementation and a silent daemon', () => {
    expect(levels(withFacts({ skew: 'differs' }))[0]).toBe('warning daemon');
    const foreign = { running: true, version: '0.41.0', services: [] } as const;
    expect(withFacts({ status: { ...foreign, services: [] } })[0]).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('another omni-dev (v0.41.0)'),
    });
    expect(levels(withFacts({ status: { failed: 'no reply' } }))).toEqual(['problem daemon']);
  });

  it('E4: finds a daemon of this user on another socket', () => {
    const record = { pid: 9, socket: '/other/d.sock', version: '1.0.0', started_at: '2026-10-03T00:00:00Z' };
    const [, stray] = withFacts({ records: [{ ...record, socket: '/s', pid: 5 }, record] });
    expect(stray).toMatchObject({ check: 'stray-daemon', level: 'warning' });
    expect(stray?.fix).toContain('/other/d.sock');
  });

  it('A18: reports words that no feed understood, added up over the feeds', () => {
    const detail = {
      records: { '/home/me/.claude': { unknown_words: { brooding: 2 } } },
      transcripts: { unknown_words: { brooding: 1, odd: 1, none: 0 } },
    };
    const services = [{ name: 'sessions', healthy: true, summary: '', detail }];
    const [, words] = withFacts({ status: { running: true, implementation: IMPLEMENTATION, services } });
    expect(words).toMatchObject({ check: 'unknown-words', level: 'warning' });
    expect(words?.text).toContain('brooding (3), odd (1)');
    const codex = [
      { name: 'sessions', healthy: true, summary: '', detail: { server: { unknown_words: 2 } } },
    ];
    const [, states] = withFacts({
      status: { running: true, implementation: IMPLEMENTATION, services: codex },
    });
    expect(states?.text).toContain('states of Codex (2)');
  });
});

describe('doctor on Node', () => {
  const mine = { path: '/usr/bin/node', version: '20.19.0' };
  it.each([
    ['22.1.0', ['ok node', 'ok node']],
    [undefined, ['ok node', 'problem node']],
    ['18.0.0', ['ok node', 'problem node']],
  ])('judges the shims’ Node %s', (version, expected) => {
    expect(levels(nodeFindings({ own: mine, installed: { path: '/n', version }, oldestMajor: 20 }))).toEqual(
      expected,
    );
  });
});

describe('doctor on the wrapper', () => {
  const facts: WrapperFacts = {
    shim: '/d/claude-wrap',
    file: { kind: 'file', mode: 0o700, sticky: false, uid: 1000 },
    isOurs: true,
    installed: own,
    own,
    editors: [{ name: 'Code', settings: '/c/settings.json', state: { is: 'shim' } }],
  };
  const withFacts = (over: Partial<WrapperFacts>) => levels(wrapperFindings({ ...facts, ...over }));
  const editor = (state: WrapperFacts['editors'][number]['state']) => [
    { name: 'Code', settings: '/c', state },
  ];

  it('is content with an installed wrapper, and with no editor at all', () => {
    expect(withFacts({})).toEqual(['ok wrapper-shim', 'ok wrapper-version', 'ok editor']);
    expect(withFacts({ file: { kind: 'missing' }, editors: [], installed: undefined })).toEqual([
      'ok editor',
    ]);
  });

  it.each<[string, Partial<WrapperFacts>, string]>([
    [
      'an editor starts Claude through a shim that is gone',
      { file: { kind: 'missing' } },
      'problem wrapper-shim',
    ],
    [
      'the shim cannot be executed',
      { file: { ...facts.file, mode: 0o600 } as WrapperFacts['file'] },
      'problem wrapper-shim',
    ],
    ['something else is in the shim’s place', { isOurs: false }, 'problem wrapper-shim'],
    [
      'the shim runs another build',
      { installed: { version: '0.9.0', commit: '' } },
      'warning wrapper-version',
    ],
    ['an editor is not set up', { editors: editor({ is: 'absent' }) }, 'warning editor'],
    ['an editor uses another wrapper', { editors: editor({ is: 'other', value: '/x' }) }, 'warning editor'],
    ['settings cannot be read', { editors: editor({ is: 'broken', why: 'bad' }) }, 'problem editor'],
  ])('speaks up when %s', (_, over, finding) => expect(withFacts(over)).toContain(finding));
});

describe('doctor as lines', () => {
  it('puts the fix below what it is for and lets no control character through', () => {
    const finding: Finding = { check: 'editor', level: 'warning', text: 'a\u001b[2Jb', fix: 'do\nthis' };
    expect(doctorLines([finding], createPaint(false))).toEqual([
      '! warning  editor            a[2Jb',
      '                             fix: dothis',
    ]);
    expect(worstOf([])).toBe('ok');
  });
});

describe('omni-dev doctor', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('follows a link to the directory of the socket where the daemon does, and no other', () => {
    const around = { env: {}, platform: 'linux' as const, home, uid: process.getuid?.() ?? 0 };
    const share = path.join(home, '.local/share');
    mkdirSync(path.join(home, 'elsewhere'), { mode: 0o700 });
    mkdirSync(share, { recursive: true });
    symlinkSync(path.join(home, 'elsewhere'), path.join(share, 'omni-dev'));
    const finding = () => levels(socketFindings(gatherSocket(around, resolvePaths(around))))[1];
    chmodSync(share, 0o755);
    expect(finding()).toBe('ok socket-directory');
    chmodSync(share, 0o777);
    expect(finding()).toBe('problem socket-directory');
  });

  it('looks at this home, changes nothing, and exits by the worst finding', async () => {
    const data = path.join(home, '.local/share/omni-dev');
    mkdirSync(path.join(home, '.config/Code/User'), { recursive: true });
    mkdirSync(data, { recursive: true });
    chmodSync(data, 0o750);
    const around = { home, env: { HOME: home } };
    const healthy = await runCommand(['doctor', '--quick', '-o', 'json'], around);
    expect(healthy.exitCode).toBe(0);
    const report = JSON.parse(healthy.stdout) as { level: string; findings: Finding[] };
    expect(report.level).toBe('warning');
    expect(levels(report.findings)).toEqual(
      expect.arrayContaining(['warning socket-directory', 'ok daemon', 'warning editor']),
    );
    writeFileSync(path.join(home, '.config/Code/User/settings.json'), '{ broken');
    const broken = await runCommand(['doctor', '--quick'], around);
    expect(broken.exitCode).toBe(1);
    expect(broken.stdout).toMatch(/✗ problem {2}editor/);
  });
});
