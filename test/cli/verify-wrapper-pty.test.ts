import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerifyCheck } from '../../cli/verify/checks.ts';
import { checkLines } from '../../cli/verify/report-lines.ts';
import { TerminalRunner } from '../../cli/verify/run-on-terminal.ts';
import { checkCommandOnTerminal, checkOnTerminal } from '../../cli/verify/terminal-checks.ts';
import { createPaint } from '../../cli/view/paint.ts';
import { OMNI_DEV, PROGRAMS_DIR } from '../support/programs.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-test-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const env = { PATH: process.env.PATH, TERM: 'xterm-256color', OMNI_DEV_NO_AUTOSTART: '1' };

function shim(text: string): string {
  const file = path.join(home, 'shim');
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  return file;
}

function cli(program: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...env, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seen = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    seen.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    seen.err += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, ...seen })));
}

const different = (checks: VerifyCheck[]) =>
  checks.filter(({ same }) => same === false).map(({ name }) => name);

describe('verify-wrapper --pty', () => {
  it('finds this build’s wrapper transparent on a terminal and says what it adds to a key', {
    timeout: 300_000,
  }, async () => {
    const { code, out } = await cli(OMNI_DEV, 'verify-wrapper', '--pty', '-o', 'json', '--', 'echo', 'hello');
    const report = JSON.parse(out) as { same: boolean; checks: VerifyCheck[]; timings: { name: string }[] };
    expect(different(report.checks)).toEqual([]);
    expect(code).toBe(0);
    expect(report.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'output bytes',
        'window size, and a new one',
        'a large bracketed paste',
        'question to the terminal',
        'interrupt key',
        'killed by SIGKILL',
        'modes after a kill',
        'your command: output bytes',
      ]),
    );
    expect(report.timings.map(({ name }) => name)).toEqual(['key to echo, p50', 'key to echo, p99']);
    expect(readdirSync(home)).toEqual([]);
  });

  it.each([
    ['adds a byte', 'printf x; exec "$@"', ['your command: output bytes']],
    ['loses the exit status', '"$@"; exit 0', ['your command: output bytes', 'your command: exit status']],
  ])('finds a wrapper that %s', async (_, text, expected) => {
    const target = { wrapper: [shim(text)], env };
    const runner = new TerminalRunner(PROGRAMS_DIR);
    const checks = await checkCommandOnTerminal(['sh', '-c', 'echo four; exit 3'], target, runner);
    expect(different(checks)).toEqual(expected);
    const lines = checks.flatMap((check) => checkLines(check, createPaint(false)));
    expect(lines.filter((line) => line.includes('DIFFERENT'))).toHaveLength(expected.length);
  });

  it('finds a wrapper that leaves the terminal as a killed program left it', {
    timeout: 300_000,
  }, async () => {
    const own = [process.execPath, OMNI_DEV, 'verify-child'];
    const target = { wrapper: [shim('exec "$@"')], env };
    const checks: VerifyCheck[] = [];
    for await (const check of checkOnTerminal(own, target, new TerminalRunner(PROGRAMS_DIR)))
      checks.push(check);
    expect(different(checks)).toEqual(['modes after a kill']);
  });

  it('says that there is nothing to prove where node-pty is not installed', async () => {
    const alone = path.join(home, 'programs');
    cpSync(PROGRAMS_DIR, alone, { recursive: true });
    const { code, err } = await cli(path.join(alone, 'omni-dev.cjs'), 'verify-wrapper', '--pty');
    expect(code).toBe(1);
    expect(err).toContain('node-pty is not installed');
  });
});
