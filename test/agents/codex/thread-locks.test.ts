import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deviceOf, holderOf, parseKernelLocks } from '../../../agents/codex/kernel-locks.ts';
import {
  linuxProbe,
  lockFolder,
  lockStateOf,
  macProbe,
  proofOfLock,
  readThreadLocks,
} from '../../../agents/codex/thread-locks.ts';

const A = '01a22c03-a6f6-7a30-8d8c-4942b79706f9';
const B = '01a22c03-a982-7691-ba3e-a79f9cb47d38';

describe("the kernel's list of locks", () => {
  it('is read for exclusive flocks alone', () => {
    const text = [
      '1: POSIX  ADVISORY  WRITE 3651 fe:00:2146803 128 128',
      '2: FLOCK  ADVISORY  WRITE 3651 fe:00:2147533 0 EOF',
      '2: -> FLOCK  ADVISORY  READ 4711 fe:00:2147533 0 EOF',
      '3: FLOCK  ADVISORY  READ  99 00:2f:12 0 EOF',
      '4: FLOCK  ADVISORY  WRITE 77 00:2f:12 0 EOF',
      '5: LEASE  ACTIVE    READ  1 00:2f:13 0 EOF',
      'rubbish',
    ].join('\n');
    expect(parseKernelLocks(text)).toEqual([
      { pid: 3651, device: 'fe:0', inode: 2147533 },
      { pid: 77, device: '0:2f', inode: 12 },
    ]);
  });

  it('spells a device as the list does', () => {
    expect(deviceOf({ dev: 0xfe00 })).toBe('fe:0');
    expect(deviceOf({ dev: 0x2f })).toBe('0:2f');
    expect(deviceOf({ dev: 0x10000801 })).toBe('8:10001');
  });

  it('names a holder by another device only when that process has the file open', () => {
    const file = path.join(import.meta.dirname, 'thread-locks.test.ts');
    const stats = statSync(file);
    const lock = { device: 'dead:beef', inode: stats.ino };
    expect(holderOf(file, stats, [{ ...lock, pid: process.pid }])).toBe('none');
    expect(holderOf(file, stats, [{ ...lock, pid: 2 ** 22 + 1 }])).toBe('none');
    expect(holderOf(file, stats, [{ ...lock, device: deviceOf(stats), pid: 42 }])).toBe(42);
  });
});

describe('the thread locks of a Codex home', () => {
  let home: string;
  let holder: ChildProcess | undefined;

  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'codex-home-'));
  });
  afterEach(() => {
    holder?.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  const lockFile = (id: string) => path.join(lockFolder(home), `${id}.lock`);

  /** Another process holds the lock of a thread, as Codex would. */
  async function hold(id: string): Promise<number> {
    mkdirSync(lockFolder(home), { recursive: true });
    holder = spawn(
      'flock',
      ['--exclusive', '--no-fork', lockFile(id), 'sh', '-c', 'echo locked; exec sleep 60'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    await new Promise((done) => holder?.stdout?.once('data', done));
    return holder.pid ?? 0;
  }

  it('are told held, free and absent, with their holder', async () => {
    const pid = await hold(A);
    writeFileSync(lockFile(B), '');
    const reading = readThreadLocks(home, linuxProbe(true));
    expect(reading.supported).toBe(true);
    expect(reading.locks.get(A)).toMatchObject({ state: 'held', holder: pid });
    expect(reading.locks.get(A)?.madeAt).toBeGreaterThan(Date.now() - 60_000);
    expect(lockStateOf(reading, A.toUpperCase())).toBe('held');
    expect(lockStateOf(reading, B)).toBe('free');
    expect(lockStateOf(reading, '01a22c03-0000-7000-8000-000000000000')).toBe('absent');
  });

  it('are still free for Codex while they are looked at', async () => {
    await hold(A);
    writeFileSync(lockFile(B), '');
    const probe = linuxProbe(true);
    for (let round = 0; round < 50; round += 1) {
      readThreadLocks(home, probe);
      if (round % 10 === 0) expect(spawnSync('flock', ['-n', '-x', lockFile(B), 'true']).status).toBe(0);
    }
  });

  it('are not called free where the processes of others cannot be seen', async () => {
    await hold(A);
    writeFileSync(lockFile(B), '');
    const reading = readThreadLocks(home, linuxProbe(false));
    expect(lockStateOf(reading, A)).toBe('held');
    expect(lockStateOf(reading, B)).toBe('unknown');
  });

  it('are unknown where the kernel keeps no list', async () => {
    mkdirSync(lockFolder(home));
    writeFileSync(lockFile(A), '');
    expect(
      lockStateOf(
        readThreadLocks(
          home,
          linuxProbe(true, () => undefined),
        ),
        A,
      ),
    ).toBe('unknown');
  });

  it('are nothing but plain files named by a thread', async () => {
    mkdirSync(path.join(lockFolder(home), `${A}.lock`), { recursive: true });
    symlinkSync('/etc/passwd', lockFile(B));
    writeFileSync(path.join(lockFolder(home), '.coordination.lock'), '');
    writeFileSync(path.join(lockFolder(home), '..lock'), '');
    expect(readThreadLocks(home, linuxProbe(true))).toEqual({ supported: true, locks: new Map() });
  });

  it('say nothing in a home that has none', () => {
    const reading = readThreadLocks(home, linuxProbe(true));
    expect(reading).toEqual({ supported: false, locks: new Map() });
    expect(proofOfLock(reading, A, true)).toBe('absent');
  });

  it('prove death by their absence only in the home that holds the rollout', () => {
    mkdirSync(lockFolder(home));
    const reading = readThreadLocks(home, linuxProbe(true));
    expect(proofOfLock(reading, A, true)).toBe('free');
    expect(proofOfLock(reading, A, false)).toBe('absent');
  });

  describe('on macOS', () => {
    const files = [{ path: '/locks/a.lock', stats: statSync(import.meta.dirname) }];

    it('are asked for a shared lock without waiting, which is given back at once', () => {
      const calls: unknown[] = [];
      const open = ((file: string, flags: number) => {
        calls.push([file, flags]);
        return 99;
      }) as typeof import('node:fs').openSync;
      const probe = macProbe(open, (descriptor) => calls.push(['close', descriptor]));
      expect(probe.probe(files)).toEqual([{ state: 'free', holder: undefined }]);
      expect(calls).toHaveLength(2);
      expect((calls[0] as [string, number])[1] & 0x10).toBe(0x10);
      expect(calls[1]).toEqual(['close', 99]);
    });

    it.each([
      ['EAGAIN', 'held'],
      ['ENOENT', 'unknown'],
      ['EACCES', 'unknown'],
    ])('%s means %s', (code, state) => {
      const open = () => {
        throw Object.assign(new Error(code), { code });
      };
      expect(macProbe(open, () => {}).probe(files)).toEqual([{ state, holder: undefined }]);
    });
  });
});
