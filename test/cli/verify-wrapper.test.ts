import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkWithCommand } from '../../cli/verify/checks.ts';
import { checkLines } from '../../cli/verify/report-lines.ts';
import { runProgram } from '../../cli/verify/run-program.ts';
import { testBytes } from '../../cli/verify/test-bytes.ts';
import { createPaint } from '../../cli/view/paint.ts';
import { OMNI_DEV } from '../support/programs.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function shim(text: string): string {
  const file = path.join(home, 'shim');
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  return file;
}

const env = { PATH: process.env.PATH };

describe('verify-wrapper', () => {
  it('finds this build’s wrapper transparent and says what it adds in time', {
    timeout: 240_000,
  }, async () => {
    const child = spawn(process.execPath, [OMNI_DEV, 'verify-wrapper', '-o', 'json', '--', 'echo', 'hello'], {
      env: { ...env, HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    const report = JSON.parse(out) as {
      same: boolean;
      checks: { name: string; same: boolean }[];
      timings: unknown[];
    };
    expect(report.checks.filter(({ same }) => !same)).toEqual([]);
    expect(report.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'input bytes',
        'exit status 255',
        'killed by SIGKILL',
        'SIGHUP passed on',
        'your command: output bytes',
      ]),
    );
    expect(report.timings).toHaveLength(3);
    expect(readdirSync(home)).toEqual([]);
  });

  it.each([
    ['loses a byte', '"$@" | head -c 3', ['your command: output bytes']],
    ['writes to stderr', 'echo noise >&2; exec "$@"', ['your command: error output']],
    ['loses the exit status', '"$@"; exit 0', ['your command: exit status']],
  ])('finds a wrapper that %s', async (_, text, different) => {
    const target = { wrapper: [shim(text)], env };
    const checks = await checkWithCommand(['sh', '-c', 'echo four; exit 3'], target);
    const found = checks.filter(({ same }) => same === false).map(({ name }) => name);
    expect(found).toEqual(expect.arrayContaining(different));
    const lines = checks.flatMap((check) => checkLines(check, createPaint(false)));
    expect(lines.filter((line) => line.includes('DIFFERENT'))).toHaveLength(found.length);
  });

  it('does not hold against the wrapper what is never the same twice', async () => {
    const target = { wrapper: [shim('exec "$@"')], env };
    const checks = await checkWithCommand(['sh', '-c', 'head -c 16 /dev/urandom'], target);
    expect(checks.map(({ same }) => same)).toEqual([undefined, true, true]);
  });
});

describe('a run that is compared', () => {
  it('is ended and called hung when it does not end', async () => {
    const outcome = await runProgram(['sh', '-c', 'sleep 60'], { env, timeoutMs: 200 });
    expect(outcome.status).toBe('hung');
  });

  it('says when the program is not there', async () => {
    expect((await runProgram(['/nonexistent/program'], { env })).status).toBe('not started');
  });
});

describe('the bytes that are sent', () => {
  it('are the same each time and hold what wrappers spoil', () => {
    const bytes = testBytes(3_000_000);
    expect(bytes.equals(testBytes(3_000_000))).toBe(true);
    expect(bytes.includes(0)).toBe(true);
    expect(bytes.toString('utf8')).toContain('\ufffd');
    expect(bytes.at(-1)).not.toBe(0x0a);
  });
});
