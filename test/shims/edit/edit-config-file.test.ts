import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConfigFileError } from '../../../shims/edit/config-file-error.ts';
import { type ConfigEdit, editConfigFile } from '../../../shims/edit/edit-config-file.ts';
import { lockPathOf } from '../../../shims/edit/file-lock.ts';
import { joinRecords, restoreFile } from '../../../shims/edit/restore-file.ts';
import { scratchFolder } from '../support/scratch.ts';

const BY_HAND = 'Or add "k": "v" yourself.';

function setK(file: string, more: Partial<ConfigEdit> = {}) {
  const edit: ConfigEdit['edit'] = (text) => {
    if (text.value(['k']) !== 'v') text.setMember([], 'k', 'v');
  };
  return editConfigFile({ file, edit, createMissing: true, byHand: BY_HAND, ...more });
}

async function refusalOf(promise: Promise<unknown>): Promise<ConfigFileError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigFileError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

describe('an edit of a settings file', () => {
  it('keeps mode, byte order mark and layout', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(file, '\uFEFF{\r\n\t"a": 1 // c\r\n}');
    chmodSync(file, 0o640);
    expect(await setK(file)).toMatchObject({ changed: true, exists: true });
    expect(readFileSync(file, 'utf8')).toBe('\uFEFF{\r\n\t"a": 1, // c\r\n\t"k": "v"\r\n}');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('changes nothing the second time, not even the file itself', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    await setK(file);
    const inode = statSync(file).ino;
    expect(await setK(file)).toMatchObject({ changed: false });
    expect(statSync(file).ino).toBe(inode);
  });

  it('leaves no lock and no temp file beside it', async () => {
    const folder = scratchFolder();
    await setK(path.join(folder, 'settings.json'));
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('creates the file and its folders only when asked to', async () => {
    const file = path.join(scratchFolder(), 'a', 'b', 'settings.json');
    expect(await setK(file, { createMissing: false })).toMatchObject({ changed: false, exists: false });
    expect(existsSync(path.dirname(file))).toBe(false);
    expect((await setK(file)).record).toMatchObject({ created: true });
    expect(readFileSync(file, 'utf8')).toBe('{\n  "k": "v"\n}\n');
  });

  it('C2: writes through a link and leaves the link', async () => {
    const folder = scratchFolder();
    const real = path.join(folder, 'dotfiles', 'settings.json');
    const link = path.join(folder, 'settings.json');
    mkdirSync(path.dirname(real));
    writeFileSync(real, '{}\n');
    symlinkSync('dotfiles/settings.json', link);
    await setK(link);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readlinkSync(link)).toBe('dotfiles/settings.json');
    expect(readFileSync(real, 'utf8')).toContain('"k"');
  });

  it('C5: reads an empty file again after a moment before it counts as empty', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(file, '');
    const editing = setK(file);
    await delay(30);
    writeFileSync(file, '{\n  "a": 1\n}\n');
    await editing;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: 1, k: 'v' });
  });

  it('C5: takes a file that stays empty for an empty one', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(file, '');
    await setK(file);
    expect(readFileSync(file, 'utf8')).toBe('{\n  "k": "v"\n}\n');
  });

  it('C4: waits for a file that somebody is in the middle of writing', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(file, '{ "a"');
    const editing = setK(file);
    await delay(30);
    writeFileSync(file, '{ "a": 1 }');
    await editing;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: 1, k: 'v' });
  });
});

describe('a refusal', () => {
  const refused: [what: string, bytes: string | Buffer, code: string, words: string[]][] = [
    [
      'broken JSON',
      '{ "a": ',
      'CONFIG_NOT_JSON',
      ['not valid JSON', 'refusing to overwrite', 'line 1', BY_HAND],
    ],
    ['a value that is no object', '[1]', 'CONFIG_NOT_AN_OBJECT', ['is not a JSON object', BY_HAND]],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'CONFIG_NOT_UTF8', ['UTF-8']],
    ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'CONFIG_NOT_UTF8', ['UTF-8']],
    ['the same key twice', '{"k": 1, "k": 2}', 'CONFIG_AMBIGUOUS', ['"k" twice', 'Remove one']],
  ];
  it.each(refused)('of %s names file, reason and fix, and keeps the bytes', async (_, bytes, code, words) => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(file, bytes);
    const error = await refusalOf(setK(file));
    expect(error.code).toBe(code);
    for (const word of [file, ...words]) expect(error.message).toContain(word);
    expect(readFileSync(file)).toEqual(Buffer.from(bytes));
    expect(readdirSync(path.dirname(file))).toEqual(['settings.json']);
  });

  it('of a folder in the place of the file', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    mkdirSync(file);
    const error = await refusalOf(setK(file));
    expect(error.code).toBe('CONFIG_NOT_A_FILE');
    expect(error.message).toContain('is a directory');
  });

  it('of a link that leads nowhere, or in circles', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    symlinkSync('nowhere.json', file);
    expect((await refusalOf(setK(file))).code).toBe('CONFIG_LINK_BROKEN');
    const circle = path.join(scratchFolder(), 'settings.json');
    symlinkSync('settings.json', circle);
    expect((await refusalOf(setK(circle))).code).toBe('CONFIG_LINK_BROKEN');
  });

  it('of a file that is closed against writing, whoever asks', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(file, '{}\n');
    chmodSync(file, 0o444);
    const error = await refusalOf(setK(file));
    expect(error.code).toBe('CONFIG_READ_ONLY');
    for (const word of [file, 'chmod u+w', BY_HAND]) expect(error.message).toContain(word);
    expect(readFileSync(file, 'utf8')).toBe('{}\n');
  });

  it('of a path that leads through a file takes no folder with it', async () => {
    const folder = scratchFolder();
    writeFileSync(path.join(folder, 'not-a-dir'), '');
    const error = await refusalOf(setK(path.join(folder, 'not-a-dir', 'settings.json')));
    expect(error.message).toContain('not-a-dir');
  });

  it('of a file whose lock a living process keeps', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(file, '{}\n');
    writeFileSync(lockPathOf(file), `${process.pid} other\n`);
    const error = await refusalOf(setK(file, { lock: { waitMs: 60 } }));
    expect(error.code).toBe('CONFIG_BUSY');
    expect(error.message).toContain(lockPathOf(file));
    expect(readFileSync(file, 'utf8')).toBe('{}\n');
  });
});

describe('a record of an edit', () => {
  async function record(file: string) {
    const made = (await setK(file)).record;
    if (made === undefined) throw new Error('nothing was edited');
    return made;
  }

  it('brings the old bytes back', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    const before = '\uFEFF{\r\n  "a": 1, // c\r\n}';
    writeFileSync(file, before);
    expect(await restoreFile(await record(file))).toBe('restored');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('takes a created file away, with its folders', async () => {
    const folder = scratchFolder();
    const made = await record(path.join(folder, 'a', 'b', 'settings.json'));
    expect(await restoreFile(made)).toBe('removed');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('touches nothing when somebody else changed the file since', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    const made = await record(file);
    writeFileSync(file, '{ "k": "v", "mine": 1 }');
    expect(await restoreFile(made)).toBe('changed-since');
    expect(readFileSync(file, 'utf8')).toBe('{ "k": "v", "mine": 1 }');
  });

  it('joins with the next one, unless somebody wrote in between', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    const before = '{\n  "a": 1\n}\n';
    writeFileSync(file, before);
    const first = await record(file);
    const edit: ConfigEdit['edit'] = (text) => text.setMember([], 'l', 2);
    const second = (await editConfigFile({ file, edit, createMissing: true })).record;
    const joined = second && joinRecords(first, second);
    if (joined === undefined) throw new Error('not joined');
    expect(await restoreFile(joined)).toBe('restored');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(second && joinRecords({ ...first, after: 'other' }, second)).toBeUndefined();
  });

  it('holds no content of the user', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(file, '{\n  "env": { "TOKEN": "secret" }\n}\n');
    expect(JSON.stringify(await record(file))).not.toContain('secret');
  });
});
