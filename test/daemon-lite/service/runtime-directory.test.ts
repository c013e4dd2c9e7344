import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareRuntimeDirectory } from '../../../daemon-lite/service/runtime-directory.ts';
import { ThrowAwayHome } from '../support/throw-away.ts';

const UID = process.getuid?.() ?? 0;

let home: ThrowAwayHome;
beforeEach(() => {
  home = new ThrowAwayHome();
});
afterEach(() => home.remove());

function modeOf(directory: string): number {
  return statSync(directory).mode & 0o777;
}

describe('the directory of the socket', () => {
  it('is created owner-only, with what is missing above it', () => {
    prepareRuntimeDirectory(home.path('.local', 'share', 'omni-dev'), UID, true);
    expect(modeOf(home.path('.local', 'share', 'omni-dev'))).toBe(0o700);
  });

  it('is tightened when it is ours by name', () => {
    mkdirSync(home.path('omni-dev'));
    chmodSync(home.path('omni-dev'), 0o755);
    prepareRuntimeDirectory(home.path('omni-dev'), UID, true);
    expect(modeOf(home.path('omni-dev'))).toBe(0o700);
  });

  it('keeps its mode when the user chose it by --socket', () => {
    mkdirSync(home.path('chosen'));
    chmodSync(home.path('chosen'), 0o755);
    prepareRuntimeDirectory(home.path('chosen'), UID, false);
    expect(modeOf(home.path('chosen'))).toBe(0o755);
  });

  it('may be a link that only this user can have made', () => {
    mkdirSync(home.path('elsewhere'));
    symlinkSync(home.path('elsewhere'), home.path('omni-dev'));
    expect(() => prepareRuntimeDirectory(home.path('omni-dev'), UID, true)).not.toThrow();
  });

  it('cannot be a link that leads nowhere', () => {
    symlinkSync(home.path('nowhere'), home.path('omni-dev'));
    expect(() => prepareRuntimeDirectory(home.path('omni-dev'), UID, true)).toThrow(
      /^cannot create or read .*omni-dev: ENOENT$/,
    );
  });

  it('is refused as a link in a place that others write', () => {
    mkdirSync(home.path('shared'));
    chmodSync(home.path('shared'), 0o1777);
    mkdirSync(home.path('elsewhere'));
    symlinkSync(home.path('elsewhere'), home.path('shared', 'omni-dev'));
    expect(() => prepareRuntimeDirectory(home.path('shared', 'omni-dev'), UID, true)).toThrow(
      /is a symbolic link in a shared place; remove it or pass another --socket path/,
    );
  });

  it('is refused when it belongs to somebody else', () => {
    mkdirSync(home.path('theirs'));
    expect(() => prepareRuntimeDirectory(home.path('theirs'), UID + 1, true)).toThrow(/belongs to user/);
    expect(() => prepareRuntimeDirectory(home.path('theirs'), UID + 1, false)).toThrow(/belongs to user/);
  });

  it('may be the shared directory of the system when the user chose it', () => {
    expect(() => prepareRuntimeDirectory('/tmp', UID, false)).not.toThrow();
  });

  it('is refused when it is a file', () => {
    writeFileSync(home.path('file'), '');
    expect(() => prepareRuntimeDirectory(home.path('file'), UID, true)).toThrow(/is not a directory/);
  });

  it('is named with the reason when it cannot be made', () => {
    writeFileSync(home.path('file'), '');
    expect(() => prepareRuntimeDirectory(home.path('file', 'omni-dev'), UID, true)).toThrow(
      /cannot create or read .*file\/omni-dev: ENOTDIR/,
    );
  });
});
