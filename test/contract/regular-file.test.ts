import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRegularFile } from '../../contract/regular-file.ts';
import { chooseLogLevel } from '../../daemon-lite/diagnostics/log-level.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'regular-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('a file of the user', () => {
  it('is read whole', () => {
    writeFileSync(path.join(home, 'a'), 'text ü\n');
    expect(readRegularFile(path.join(home, 'a'))).toBe('text ü\n');
  });

  it('is not waited for where a pipe or a folder stands in its place', () => {
    const pipe = path.join(home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => readRegularFile(pipe)).toThrow(`EINVAL: not a plain file, read '${pipe}'`);
    expect(() => readRegularFile(home)).toThrow(/EINVAL|EISDIR/);
    expect(() => readRegularFile(path.join(home, 'none'))).toThrow(/ENOENT/);
  });

  it('with settings may hold comments; a pipe in its place is named, and changes nothing', () => {
    const around = { env: {}, home, platform: process.platform, uid: 0 };
    const file = path.join(home, '.omni-dev/settings.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{ // mine\n  "daemon": { "log_level": "debug", },\n}\n');
    expect(chooseLogLevel(around)).toEqual({ filter: 'debug', origin: 'settings' });
    rmSync(file);
    execFileSync('mkfifo', [file]);
    expect(chooseLogLevel(around)).toMatchObject({
      origin: 'default',
      problem: `${file} was not read: EINVAL`,
    });
  });
});
