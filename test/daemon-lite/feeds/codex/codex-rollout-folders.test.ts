import fs, { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RolloutFolders } from '../../../../daemon-lite/feeds/codex-rollout-folders.ts';

const NOW = Date.now();
const DAY = 24 * 3_600_000;

describe('the folders of rollouts', () => {
  let root: string;
  let folders: RolloutFolders;

  const id = (number: number) => `01a22c03-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const dayOf = (daysAgo: number) =>
    new Date(NOW - daysAgo * DAY).toISOString().slice(0, 10).replaceAll('-', '/');
  const fileOf = (number: number, daysAgo: number) =>
    path.join(root, dayOf(daysAgo), `rollout-2026-11-30T10-00-00-${id(number)}.jsonl`);

  function write(number: number, daysAgo: number, text = 'x'): string {
    const file = fileOf(number, daysAgo);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    const at = (NOW - daysAgo * DAY) / 1_000;
    utimesSync(file, at, at);
    if (daysAgo > 1) utimesSync(path.dirname(file), at, at);
    return file;
  }
  const look = () => folders.look().map(({ threadId }) => threadId);

  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'rollout-folders-'));
    folders = new RolloutFolders(root);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('are all named at the first look, and the newest files told', () => {
    for (let daysAgo = 0; daysAgo < 30; daysAgo += 1) write(daysAgo, daysAgo);
    expect(look()).toEqual(expect.arrayContaining([id(0), id(1)]));
    expect(folders.count).toBe(30);
    expect(folders.fileOf(id(29))).toBe(fileOf(29, 29));
  });

  it('tell a file once, and again when it changed', () => {
    write(1, 0);
    expect(look()).toEqual([id(1)]);
    expect(look()).toEqual([]);
    write(1, 0, 'longer');
    expect(look()).toEqual([id(1)]);
  });

  it('come to a changed old file in their turn', () => {
    for (let daysAgo = 0; daysAgo < 30; daysAgo += 1) write(daysAgo, daysAgo);
    for (let round = 0; round < 50; round += 1) look();
    const old = fileOf(25, 25);
    fs.appendFileSync(old, 'resumed');
    const told = Array.from({ length: 50 }, () => look()).flat();
    expect(told).toEqual([id(25)]);
  });

  it('notice new files, new days and files that went', () => {
    const file = write(1, 0);
    look();
    write(2, 0);
    write(3, -1);
    expect(look().sort()).toEqual([id(2), id(3)]);
    rmSync(file);
    look();
    expect(folders.fileOf(id(1))).toBeUndefined();
    rmSync(path.dirname(fileOf(3, -1)), { recursive: true });
    look();
    expect(folders.count).toBe(1);
  });

  it('find the rollout of a new thread by the newest folders alone', () => {
    write(1, 0);
    look();
    write(2, 0);
    folders.lookAtNewest();
    expect(folders.fileOf(id(2))).toBe(fileOf(2, 0));
    expect(look()).toEqual([id(2)]);
  });

  it('may be missing, or anything else', () => {
    expect(new RolloutFolders(path.join(root, 'none')).look()).toEqual([]);
    writeFileSync(path.join(root, '2026'), 'a file');
    mkdirSync(path.join(root, 'tmp', '01', '01'), { recursive: true });
    expect(look()).toEqual([]);
  });
});
