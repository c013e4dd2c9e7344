import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPOSITORY } from '../support/programs.ts';
import { PackedPackage } from './support/packed.ts';

const MEGABYTE = 1_000_000;

let packed: PackedPackage;
beforeAll(() => {
  packed = new PackedPackage();
});
afterAll(() => packed.remove());

describe('the package', () => {
  it('holds the programs, the documents and nothing else', () => {
    const names = packed.files.map((file) => file.path);
    for (const program of ['omni-dev', 'hook', 'claude-wrap', 'codex-wrap', 'codex-observer', 'daemon']) {
      expect(names).toContain(`dist/${program}.cjs`);
    }
    expect(names).toEqual(expect.arrayContaining(['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']));
    const allowed =
      /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|docs\/[\w./-]+\.(?:md|json)|dist\/.*)$/;
    const built =
      /^dist\/(?:[\w-]+\.(?:cjs|mjs|js)|cli\/main\.mjs|cli\/chunks\/[\w-]+\.mjs|editors\/[\w-]+\.vsix)$/;
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
    expect(names.filter((name) => name.startsWith('dist/') && !built.test(name))).toEqual([]);
  });

  it('names no folder of the machine it was built on, and no source map', () => {
    const telling = [REPOSITORY, os.homedir(), 'sourceMappingURL'].filter((text) => text.length > 2);
    const told = packed.files.flatMap(({ path: file }) =>
      textsOf(file).flatMap(({ name, text }) =>
        telling.filter((what) => text.includes(what)).map((what) => `${name}: ${what}`),
      ),
    );
    expect(told).toEqual([]);
  });

  it('stays small', () => {
    const unpacked = packed.files.reduce((sum, { size }) => sum + size, 0);
    expect(packed.size).toBeLessThan(2 * MEGABYTE);
    expect(unpacked).toBeLessThan(8 * MEGABYTE);
  });

  it('is built before it is packed', () => {
    const folder = path.join(packed.root, 'scripts');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'package.json'), packed.read('package.json'));
    const build = `import fs from 'node:fs';
      fs.mkdirSync('dist', { recursive: true });
      fs.writeFileSync('dist/omni-dev.cjs', 'built');`;
    writeFileSync(path.join(folder, 'build.mjs'), build);
    packed.npm(folder, 'pack', '--pack-destination', folder);
    expect(readFileSync(path.join(folder, 'dist/omni-dev.cjs'), 'utf8')).toBe('built');
  });

  /** The text of a file, or the texts in it when it is an archive. */
  function textsOf(file: string): { name: string; text: string }[] {
    const bytes = packed.read(file);
    if (!file.endsWith('.vsix')) return [{ name: file, text: bytes.toString() }];
    return Object.entries(unzipSync(bytes)).map(([name, inner]) => ({
      name: `${file}/${name}`,
      text: Buffer.from(inner).toString(),
    }));
  }
});
