import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  removeSocketDirectory,
  removeSocketFiles,
  socketBehind,
  socketDirectory,
  socketName,
  wrapperPidOf,
} from '../../../wrappers/codex/socket-files.ts';

const uid = process.getuid?.() ?? 0;

describe('the files of a private server', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'socket-files-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('are named by the pid of their wrapper', () => {
    expect(wrapperPidOf(socketName(4242))).toBe(4242);
    expect(
      ['daemon.sock', 'codex-wrap-.sock', 'codex-wrap-1.sock.lock', '../codex-wrap-1.sock'].map(wrapperPidOf),
    ).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('lie where the server puts them: a link to a socket named by the hash of the path', () => {
    expect(socketBehind('/run/user/1000/omni-dev/codex-wrap-4242.sock', 1000)).toBe(
      '/tmp/codex-daemon-1000/dc21208964121e9ff8933a329cb208ece33cec470899df06d2820154285e3052',
    );
  });

  it('are removed with socket and lock, there or not', () => {
    const link = path.join(dir, 'codex-wrap-1.sock');
    const socket = socketBehind(link, uid);
    mkdirSync(path.dirname(socket), { recursive: true, mode: 0o700 });
    writeFileSync(socket, '');
    writeFileSync(`${socket}.lock`, '');
    symlinkSync(socket, link);
    removeSocketFiles(link, uid);
    removeSocketFiles(link, uid);
    expect([link, socket, `${socket}.lock`].filter((file) => existsSync(file))).toEqual([]);
  });

  it('are put into the runtime directory, which is made private', () => {
    const runtimeDir = path.join(dir, 'data', 'omni-dev');
    expect(socketDirectory(runtimeDir, uid)).toBe(runtimeDir);
    expect(statSync(runtimeDir).mode & 0o777).toBe(0o700);
    removeSocketDirectory(runtimeDir, runtimeDir);
    expect(existsSync(runtimeDir)).toBe(true);
  });

  it.each([
    ['others can write to it', (runtimeDir: string) => chmodSync(runtimeDir, 0o777), uid],
    ['it belongs to somebody else', () => {}, uid + 1],
  ])('are put into a throw-away directory when %s', (_, spoil, owner) => {
    const runtimeDir = path.join(dir, 'omni-dev');
    mkdirSync(runtimeDir);
    spoil(runtimeDir);
    const directory = socketDirectory(runtimeDir, owner);
    expect(directory).not.toBe(runtimeDir);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    removeSocketDirectory(directory, runtimeDir);
    expect(existsSync(directory)).toBe(false);
  });
});
