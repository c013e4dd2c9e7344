import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sum-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Leaves what a suite leaves: its exit status and, unless it crashed, the results of its tests by file. */
function suite(name: string, status: number, files?: string[][]): void {
  writeFileSync(path.join(folder, `${name}.status`), `${status}\n`);
  if (files === undefined) return;
  const testResults = files.map((results) => ({
    status: results.length > 0 && results.every((result) => result === 'passed') ? 'passed' : 'failed',
    assertionResults: results.map((result) => ({ status: result })),
  }));
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ testResults }));
}

function sum(failedSteps = 0) {
  const script = path.join(import.meta.dirname, 'sum-reports.mjs');
  const run = spawnSync(process.execPath, [script, folder, String(failedSteps)], { encoding: 'utf8' });
  return { text: run.stdout, line: run.stdout.trimEnd().split('\n').at(-1), status: run.status };
}

describe('the sum of a run', () => {
  it('adds up the tests of all suites', () => {
    suite('test', 0, [['passed', 'passed'], ['passed']]);
    suite('real', 0, [['passed']]);
    expect(sum()).toMatchObject({ line: '4 passed, 0 failed', status: 0 });
  });

  it('counts failed tests, and tests that were not run as failed', () => {
    suite('test', 1, [['passed', 'failed', 'skipped']]);
    expect(sum()).toMatchObject({ line: '1 passed, 2 failed', status: 1 });
  });

  it('names each failure with its reason, so that the end of a long log tells it', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'a fine one' },
      { status: 'failed', fullName: 'a bad one', failureMessages: ['first try', 'expected 1\n  to be 2'] },
    ];
    const testResults = [{ name: path.resolve('test/a.test.ts'), status: 'failed', assertionResults }];
    writeFileSync(path.join(folder, 'test.status'), '1\n');
    writeFileSync(path.join(folder, 'test.json'), JSON.stringify({ testResults }));
    const text = sum().text;
    expect(text).toContain('test/a.test.ts: a bad one: failed: expected 1 to be 2\n');
    expect(text).not.toContain('a fine one');
  });

  it('counts a failed step', () => {
    suite('test', 0, [['passed']]);
    expect(sum(2)).toMatchObject({ line: '1 passed, 2 failed', status: 1 });
  });

  it('counts a file that did not load', () => {
    suite('test', 1, [['passed'], []]);
    expect(sum()).toMatchObject({ line: '1 passed, 1 failed', status: 1 });
  });

  it('counts a suite that crashed, that failed as a whole, or that had nothing to run', () => {
    suite('crashed', 1);
    suite('whole', 1, [['passed']]);
    suite('nothing', 0, []);
    expect(sum()).toMatchObject({ line: '1 passed, 3 failed', status: 1 });
  });

  it('fails when no suite ran at all', () => {
    expect(sum()).toMatchObject({ line: '0 passed, 1 failed', status: 1 });
  });
});
