import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../cli/doctor/finding.ts';
import { resolvePaths } from '../../contract/paths.ts';
import { Subscription } from '../../contract/subscription.ts';
import { DaemonProcess } from '../lab/programs.ts';
import { PROGRAMS_DIR } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { runCommand } from './support/run-cli.ts';

let root: string;
let home: string;
let temporary: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'od-'));
  home = path.join(root, 'home');
  temporary = path.join(root, 't');
  for (const folder of [home, temporary]) mkdirSync(folder);
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  // Nothing of a canary stays, whatever came of it.
  expect(readdirSync(temporary)).toEqual([]);
  rmSync(root, { recursive: true, force: true });
});

const program = (name: string) => path.join(PROGRAMS_DIR, name);
const around = () => ({ home, env: { HOME: home, PATH: '/usr/bin:/bin' } });
const paths = () => resolvePaths({ env: {}, platform: process.platform, home, uid: process.getuid?.() ?? 0 });

async function canaries(...options: string[]): Promise<Finding[]> {
  const { stdout } = await runCommand(['doctor', '-o', 'json', ...options], around());
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter(({ check }) => check.startsWith('canary'));
}

function install(): Promise<unknown> {
  const settings = path.join(home, 'settings.json');
  return runCommand(['sessions', 'install-wrapper', '--settings', settings], around()).then(() =>
    runCommand(['sessions', 'install-hooks'], around()),
  );
}

describe("the doctor's canaries", () => {
  it('go all the way of each feed with this build where nothing is installed, and not at all when in a hurry', async () => {
    const findings = await canaries();
    expect(findings.map(({ check, level }) => `${level} ${check}`)).toEqual([
      'ok canary-hook',
      'ok canary-wrapper',
      'ok canary-record',
      'ok canary-observer',
    ]);
    expect(findings[0]?.text).toContain("this build's sink");
    expect(await canaries('--quick')).toEqual([]);
  });

  it("go through the installed programs, and the person's own daemon, its clients and journals see nothing", async () => {
    await install();
    const { socket, journalsDir } = paths();
    const daemon = await DaemonProcess.start(socket, { ...around().env, OMNI_DEV_DAEMON_STREAM_TICK: '1' });
    const frames: unknown[] = [];
    const subscription = new Subscription(socket, { snapshot: (payload) => frames.push(payload) });
    try {
      await until(() => frames.length > 0);
      const findings = await canaries();
      expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok', 'ok']);
      expect(findings[0]?.text).toContain('the installed sink');
      expect(findings[1]?.text).toContain('the installed wrapper');
      expect((await runCommand(['sessions', 'list', '-o', 'json'], around())).stdout).toBe(
        `${JSON.stringify({ sessions: [] }, null, 2)}\n`,
      );
      expect(frames).toEqual([{ sessions: [] }]);
      const journals = existsSync(journalsDir)
        ? readdirSync(journalsDir, { recursive: true }).map(String)
        : [];
      expect(journals.filter((name) => name.endsWith('.jsonl'))).toEqual([]);
    } finally {
      subscription.close();
      await daemon.stop();
    }
  });

  it('find a sink that lost its programs, speaks, or fails', async () => {
    await install();
    const shim = paths().commandShim;
    const say = async (script: string) => {
      writeFileSync(
        shim,
        `#!/bin/sh\n[ "$1" = daemon ] && exec ${process.execPath} ${program('daemon.cjs')} "$2"\n${script}\n`,
      );
      chmodSync(shim, 0o700);
      return (await canaries()).find(({ check }) => check === 'canary-hook');
    };
    expect(await say('cat >/dev/null')).toMatchObject({
      level: 'problem',
      text: expect.stringContaining('no journal'),
    });
    expect(await say('cat >/dev/null; echo {}')).toMatchObject({
      text: expect.stringContaining('its output'),
    });
    expect(await say('exit 3')).toMatchObject({ text: expect.stringContaining('ended with 3') });
  });

  it.each([
    ['reports nothing', 'exec "$@"', 'reported nothing'],
    ['changes the output', 'exec NODE WRAP -- "$@" | sed s/canary/x/', 'did not end with the status'],
  ])('find a wrapper that %s', async (_, script, text) => {
    await install();
    const line = script.replace('NODE', process.execPath).replace('WRAP', program('claude-wrap.cjs'));
    writeFileSync(paths().wrapperShim, `#!/bin/sh\n${line}\n`);
    const found = (await canaries()).find(({ check }) => check === 'canary-wrapper');
    expect(found).toMatchObject({ level: 'problem', text: expect.stringContaining(text) });
  });

  it('find that the server of codex is not read where a lock shows no holder', async () => {
    const bin = path.join(root, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'flock'), '#!/bin/sh\nshift\nexec "$@"\n', { mode: 0o700 });
    const env = { ...around().env, PATH: `${bin}:/usr/bin:/bin` };
    const { stdout, exitCode } = await runCommand(['doctor', '-o', 'json'], { home, env });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(findings.find(({ check }) => check === 'canary-observer')).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('is not read'),
    });
    expect(exitCode).toBe(0);
  });

  it('stay at home, and keep no other finding back, where there is no place for temporary files', async () => {
    vi.stubEnv('TMPDIR', path.join(root, 'nowhere'));
    expect(await canaries()).toMatchObject([
      {
        check: 'canary',
        level: 'warning',
        text: expect.stringContaining('nowhere'),
        fix: expect.any(String),
      },
    ]);
  });

  it('say so when no daemon comes up', async () => {
    await install();
    writeFileSync(paths().commandShim, '#!/bin/sh\n[ "$1" = daemon ] && exit 1\ncat >/dev/null\n');
    expect((await canaries()).map(({ check, level }) => `${level} ${check}`)).toContain(
      'problem canary-daemon',
    );
  });
});
