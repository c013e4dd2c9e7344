import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OMNI_DEV } from '../support/programs.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'setup-'));
});
afterEach(async () => {
  await omniDev('daemon', 'stop');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

function omniDev(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  return new Promise((resolve) => {
    execFile(process.execPath, [OMNI_DEV, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function write(file: string, text: string): string {
  const whole = path.join(home, file);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

describe('setup and teardown', () => {
  it('install everything that is found, and give every byte back', async () => {
    const settings = '{\n  // mine\n  "editor.fontSize": 13,\n}\n';
    const vscode = write('.config/Code/User/settings.json', settings);
    const claude = write('.claude/settings.json', '{"model":"opus"}');
    const plan = JSON.parse((await omniDev('setup', '-o', 'json')).stdout) as { steps: { file: string }[] };
    expect(plan.steps.map((step) => step.file)).toEqual(expect.arrayContaining([vscode, claude]));
    expect(readFileSync(vscode, 'utf8'), 'a plan changes nothing').toBe(settings);

    expect(await omniDev('setup', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(vscode, 'utf8')).toContain('claudeCode.claudeProcessWrapper');
    expect(readFileSync(vscode, 'utf8')).toContain('// mine');
    expect(readFileSync(claude, 'utf8')).toContain('sessions hook');

    expect(await omniDev('teardown', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(vscode, 'utf8')).toBe(settings);
    expect(readFileSync(claude, 'utf8')).toBe('{"model":"opus"}');
    expect(existsSync(path.join(home, '.local/share/omni-dev/bin/omni-dev'))).toBe(false);
  });

  it('end with 1 where something could not be changed, and do the rest', async () => {
    const broken = write('.config/Code/User/settings.json', '{ "a": ');
    const claude = write('.claude/settings.json', '{}');
    const { code, stdout } = await omniDev('setup', '--yes', '-o', 'json');
    expect(code).toBe(1);
    const { refused } = JSON.parse(stdout) as { refused: { code: string; message: string }[] };
    expect(refused).toEqual([{ code: 'CONFIG_NOT_JSON', message: expect.stringContaining(broken) }]);
    expect(readFileSync(claude, 'utf8')).toContain('sessions hook');
    expect(readFileSync(broken, 'utf8')).toBe('{ "a": ');
    expect((await omniDev('teardown', '--yes')).code).toBe(0);
  });

  it('name the file that stands where their folder should, and leave it', async () => {
    const inTheWay = write('.local/share/omni-dev', 'mine');
    const claude = write('.claude/settings.json', '{}');
    for (const command of [
      ['setup', '--yes'],
      ['daemon', 'start'],
    ]) {
      const { code, stderr } = await omniDev(...command);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stderr).toContain(inTheWay);
    }
    expect(await omniDev('teardown', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(inTheWay, 'utf8')).toBe('mine');
    expect(readFileSync(claude, 'utf8')).toBe('{}');
  });

  it('ask nobody who is not there, and change nothing then', async () => {
    write('.claude/settings.json', '{}');
    const refused = await omniDev('setup');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--yes');
    expect(await omniDev('teardown')).toMatchObject({ code: 2 });
  });
});
