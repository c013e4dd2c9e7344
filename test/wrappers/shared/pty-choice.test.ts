import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wantsPty } from '../../../wrappers/shared/pty-choice.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-settings-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function settings(text: string): void {
  mkdirSync(path.join(home, '.omni-dev'));
  writeFileSync(path.join(home, '.omni-dev', 'settings.json'), text);
}

describe('whether to stand between the terminal and the program', () => {
  it('is no without a word on it', () => {
    expect(wantsPty(undefined, home)).toBe(false);
  });

  it.each([
    ['{"wrappers":{"pty":true}}', true],
    ['// mine\n{"wrappers":{/* both */"pty":true,},}', true],
    ['{"wrappers":{"pty":false}}', false],
    ['{"wrappers":{"pty":"true"}}', false],
    ['{"wrappers":true}', false],
    ['{"note":"\\"// wrappers","wrappers":{"pty":true}}', true],
    ['{"__proto__":{"pty":true},"wrappers":{}}', false],
    ['[]', false],
    ['', false],
    ['{"wrappers":{"pty":true', false],
  ])('is what the settings file says: %s', (text, expected) => {
    settings(text);
    expect(wantsPty(undefined, home)).toBe(expected);
  });

  it('is what the command line says, whatever the file says', () => {
    settings('{"wrappers":{"pty":true}}');
    expect(wantsPty(false, home)).toBe(false);
    rmSync(path.join(home, '.omni-dev'), { recursive: true });
    expect(wantsPty(true, home)).toBe(true);
  });
});
