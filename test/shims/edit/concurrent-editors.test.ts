import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { editConfigFile } from '../../../shims/edit/edit-config-file.ts';
import { lockPathOf } from '../../../shims/edit/file-lock.ts';
import { bundleProgram, run } from '../support/bundled.ts';
import { scratchFolder } from '../support/scratch.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

describe('C4: several editors of one file', { timeout: 120_000 }, () => {
  it('in five processes lose no change, and no reader sees half a file', async () => {
    const folder = scratchFolder();
    const file = path.join(folder, 'settings.json');
    writeFileSync(file, '{\n  // kept\n  "a": 1\n}\n');
    const program = await bundleProgram('editor-program.ts', scratchFolder());
    let running = true;
    let halves = 0;
    const reader = (async () => {
      while (running) {
        if (!readFileSync(file, 'utf8').endsWith('}\n')) halves++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const keys = ['p', 'q', 'r', 's', 't'];
    const ran = await Promise.all(keys.map((key) => run(process.execPath, [program, file, key, '8'])));
    running = false;
    await reader;
    expect(ran.map(({ status, stdout }) => `${status} ${stdout}`)).toEqual(keys.map(() => '0 '));
    const text = readFileSync(file, 'utf8');
    for (const key of keys) for (let n = 0; n < 8; n++) expect(text).toContain(`"${key}${n}": ${n}`);
    expect(text).toContain('  // kept\n');
    expect(halves).toBe(0);
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('take over the lock of one that died', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    const { stdout: deadPid } = await run(process.execPath, ['-p', 'process.pid']);
    writeFileSync(lockPathOf(file), `${deadPid.trim()} gone\n`);
    await editConfigFile({ file, createMissing: true, edit: (text) => text.setMember([], 'k', 1) });
    expect(readdirSync(path.dirname(file))).toEqual(['settings.json']);
  });

  it('take over a lock that is too old to belong to an edit', async () => {
    const file = path.join(scratchFolder(), 'settings.json');
    writeFileSync(lockPathOf(file), `${process.pid} forgotten\n`);
    const old = new Date(Date.now() - 120_000);
    utimesSync(lockPathOf(file), old, old);
    const lock = { waitMs: 2_000 };
    await editConfigFile({ file, createMissing: true, edit: (text) => text.setMember([], 'k', 1), lock });
    expect(readdirSync(path.dirname(file))).toEqual(['settings.json']);
  });
});

describe('an editor without permission', { timeout: 120_000 }, () => {
  const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

  async function refusedFor(prepare: (folder: string, file: string) => void): Promise<string> {
    const root = scratchFolder();
    chmodSync(root, 0o755);
    const program = await bundleProgram('editor-program.ts', root);
    const folder = path.join(root, 'home');
    mkdirSync(folder);
    const file = path.join(folder, 'settings.json');
    writeFileSync(file, '{}\n');
    if (isRoot) for (const one of [folder, file]) chownSync(one, NOBODY, NOBODY);
    prepare(folder, file);
    const { status, stdout } = await run(process.execPath, [program, file, 'k', '1'], asNobody);
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    expect(status).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('{}\n');
    expect(readdirSync(folder)).toEqual(['settings.json']);
    return stdout;
  }

  it('C5: refuses a file it cannot read', async () => {
    expect(await refusedFor((_, file) => chmodSync(file, 0o000))).toMatch(
      /^CONFIG_UNREADABLE .*EACCES.*readable/,
    );
  });

  it('refuses a file in a folder it cannot enter', async () => {
    expect(await refusedFor((folder) => chmodSync(folder, 0o000))).toMatch(/^CONFIG_UNREADABLE /);
  });

  it('refuses a file in a folder it cannot write', async () => {
    expect(await refusedFor((folder) => chmodSync(folder, 0o555))).toMatch(/^CONFIG_UNWRITABLE .*writable/);
  });
});
