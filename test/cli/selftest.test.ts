import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runClaudeTurns } from '../../cli/selftest/claude-turn.ts';
import type { SelftestReport } from '../../cli/selftest/signals.ts';
import { SelftestStage } from '../../cli/selftest/stage.ts';
import { Deadline } from '../../cli/selftest/wait.ts';
import { currentSurroundings } from '../../contract/surroundings.ts';
import { OMNI_DEV, PROGRAMS_DIR } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { runCommand } from './support/run-cli.ts';

const FAKE = path.join(import.meta.dirname, 'support/fake-claude.mjs');
let root: string;
let temporary: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'od-'));
  temporary = path.join(root, 't');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  // Whatever came of it: no file stays, and no process that knows of the throw-away home.
  expect(readdirSync(temporary)).toEqual([]);
  expect(processesOf(temporary)).toEqual([]);
  rmSync(root, { recursive: true, force: true });
});

/** A Claude that leaves something out. */
function fake(...words: string[]): string {
  const file = path.join(root, 'claude');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${FAKE}' ${words.join(' ')} "$@"\n`, {
    mode: 0o700,
  });
  return file;
}

async function selftest(program: string): Promise<SelftestReport & { exitCode: number }> {
  const argv = ['selftest', '--agent', 'claude', '--program', program, '-o', 'json'];
  const env = { PATH: process.env.PATH ?? '', CLAUDE_CONFIG_DIR: '/nonexistent', ANTHROPIC_API_KEY: 'real' };
  const { stdout, stderr, exitCode } = await runCommand(argv, { home: root, env });
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as SelftestReport), exitCode };
}

/** True once a fake that hangs runs in its project. */
function hasStarted(): boolean {
  return readdirSync(temporary).some((name) =>
    existsSync(path.join(temporary, name, 'home/project/started')),
  );
}

const broken = ({ signals }: SelftestReport) =>
  signals.flatMap(({ result, note }) => (result === 'ok' ? [] : [`${result}: ${note}`]));

describe('omni-dev selftest', () => {
  it('is content with an agent that says and writes everything that is read', async () => {
    const report = await selftest(fake());
    expect(broken(report)).toEqual([]);
    expect(report).toMatchObject({ agent: 'claude', version: '9.9.9', ok: true, exitCode: 0 });
    expect(report.took_ms).toBeLessThan(60_000);
  });

  it('names what an update broke, and tells of new words', async () => {
    const lost = ['hook:PermissionRequest', 'status', 'transcript', 'init', 'state:requires_action', 'end'];
    const report = await selftest(fake('--with=brooding', ...lost.map((what) => `--without=${what}`)));
    expect(broken(report)).toEqual([
      'missing: no system/init line told folder and model',
      'missing: no session_state_changed line said requires_action',
      'new: not known here: brooding',
      'missing: no PermissionRequest hook came',
      'missing: the session record has no status field',
      'missing: the session record never said working',
      'missing: the session record never said waiting_for_permission',
      'missing: the session record never said idle',
      'missing: the session record stayed after the end',
      'missing: no projects/<folder>/<session id>.jsonl was written',
    ]);
    expect(report).toMatchObject({ ok: false, exitCode: 1 });
  });

  it('names what a terminal does not show', async () => {
    const report = await selftest(fake('--without=terminal', '--without=hook:Notification'));
    expect(broken(report)).toEqual([
      'missing: the program status in the terminal never said working',
      'missing: the program status in the terminal never said waiting_for_permission',
      'missing: the program status in the terminal never said idle',
      'missing: no Notification hook came',
    ]);
  });

  it('says why an agent got nowhere, in a table for a person', async () => {
    const program = fake('--crash');
    const argv = ['selftest', '--agent', 'claude', '--program', program];
    const { stdout, exitCode } = await runCommand(argv, {
      home: root,
      env: { PATH: process.env.PATH ?? '' },
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^the agent ended with 3: this fake crashes$/m);
    expect(stdout).toMatch(/^stream +permission request +missing {2}no can_use_tool request came$/m);
    expect(stdout).toMatch(/signal\(s\) did not come \(stream, hooks, record, transcript\)/);
  });

  it('ends in time with an agent that hangs', async () => {
    const { env, ...around } = currentSurroundings();
    const stage = await SelftestStage.open({
      around: { ...around, env: { PATH: env.PATH } },
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      programsDir: PROGRAMS_DIR,
      wall: Date.now,
      readerGone: new AbortController().signal,
    });
    try {
      const { problem, signals } = await runClaudeTurns(fake('--hang'), stage, new Deadline(2_000));
      expect(problem).toBe('the turn did not come to its end in time');
      expect(
        signals.every(({ feed, result }) => result === 'missing' || feed === 'record' || feed === 'stream'),
      ).toBe(true);
    } finally {
      await stage.close();
    }
  });

  it('leaves nothing when it is interrupted', async () => {
    const argv = [OMNI_DEV, 'selftest', '--agent', 'claude', '--program', fake('--hang')];
    const env = { PATH: process.env.PATH, HOME: root, TMPDIR: temporary };
    const child = spawn(process.execPath, argv, { env, stdio: 'ignore' });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await until(() => hasStarted(), undefined, 60_000);
    child.kill('SIGINT');
    expect(await exited).toBe(130);
  });

  it('needs an agent', async () => {
    const { exitCode, stderr } = await runCommand(['selftest', '--agent', 'codex'], {
      home: root,
      env: { PATH: root },
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('codex is not on the PATH; name it with --program');
    expect((await runCommand(['selftest'], { home: root })).exitCode).toBe(2);
  });

  it('blames no update for a program that is not there', async () => {
    const argv = ['selftest', '--agent', 'claude', '--program', './nowhere/claude'];
    const { stdout, stderr, exitCode } = await runCommand(argv, { home: root, env: {} });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain('/nowhere/claude is no program that can be run');
  });
});

/** Command lines of processes with a folder in them or in their environment; none can be told where there is no /proc. */
function processesOf(folder: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  const own = String(process.pid);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== own)
    .flatMap((pid) => {
      const read = (name: string) => {
        try {
          return readFileSync(`/proc/${pid}/${name}`, 'utf8');
        } catch {
          return '';
        }
      };
      const text = read('cmdline');
      return `${text}${read('environ')}`.includes(`${folder}/omni-dev-`) ? [text.replaceAll('\0', ' ')] : [];
    });
}
