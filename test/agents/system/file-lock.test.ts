import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileLocks, parseKernelLocks } from '../../../agents/system/file-lock.ts';
import { parsePsCommands } from '../../../agents/system/process-list.ts';
import { until } from '../../support/until.ts';

describe('the kernel table of locks', () => {
  const table = `1: POSIX  ADVISORY  READ 15184 fe:00:2148034 128 128
5: FLOCK  ADVISORY  WRITE 15184 fe:00:2147970 0 EOF
5: -> FLOCK  ADVISORY  WRITE 15190 fe:00:2147970 0 EOF
6: FLOCK  ADVISORY  READ 77 08:101:99 0 EOF
7: OFDLCK ADVISORY  READ -1 00:06:1024 0 0
`;

  it('gives holder, device and file of each flock', () => {
    expect(parseKernelLocks(table)).toEqual([
      { pid: 15184, device: 0xfe00, inode: 2147970 },
      { pid: 77, device: 0x100801, inode: 99 },
    ]);
  });
});

describe('a file that a process may hold', () => {
  let dir: string;
  let holder: ChildProcess | undefined;
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'omni-dev-lock-'));
  });
  afterEach(() => {
    holder?.kill('SIGKILL');
    holder = undefined;
    rmSync(dir, { recursive: true, force: true });
  });

  it('is absent, then free', () => {
    const file = path.join(dir, 'a.lock');
    expect(new FileLocks(process.platform).state(file)).toEqual({ kind: 'absent' });
    writeFileSync(file, '');
    expect(new FileLocks(process.platform).state(file)).toEqual({ kind: 'free' });
  });

  it('is unknown on a platform that cannot tell', () => {
    writeFileSync(path.join(dir, 'a.lock'), '');
    expect(new FileLocks('aix').state(path.join(dir, 'a.lock'))).toEqual({ kind: 'unknown' });
  });

  it.runIf(process.platform === 'linux')('is held by the process that locked it', async () => {
    const file = path.join(dir, 'a.lock');
    holder = spawn('flock', ['--exclusive', '--no-fork', file, 'sleep', '60']);
    await until(() => new FileLocks('linux').state(file).kind === 'held');
    expect(new FileLocks('linux').state(file)).toEqual({ kind: 'held', pid: holder.pid });
    holder.kill('SIGKILL');
    await until(() => new FileLocks('linux').state(file).kind === 'free');
  });
});

describe('the output of ps', () => {
  it('gives each process and its words', () => {
    expect(parsePsCommands('  1 /sbin/launchd\n 77 codex resume 0199aaaa\n\n')).toEqual([
      { pid: 1, args: ['/sbin/launchd'] },
      { pid: 77, args: ['codex', 'resume', '0199aaaa'] },
    ]);
  });
});
