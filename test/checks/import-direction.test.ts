import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { cruise } from 'dependency-cruiser';
import { afterEach, describe, expect, it } from 'vitest';
import { checkImportDirection } from './import-direction.mjs';

const trees: string[] = [];

/** Writes files into a throw-away tree that has one package, `zod`, installed. */
function tree(files: Record<string, string>): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'imports-'));
  trees.push(root);
  const installed = {
    'package.json': '{"type":"module","dependencies":{"zod":"1.0.0"}}',
    'node_modules/zod/package.json': '{"name":"zod","version":"1.0.0","main":"index.js"}',
    'node_modules/zod/index.js': 'module.exports = {};',
  };
  for (const [name, text] of Object.entries({ ...installed, ...files })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

afterEach(() => {
  for (const root of trees.splice(0)) rmSync(root, { recursive: true, force: true });
});

const GOOD = {
  'contract/messages.ts': 'export interface Message { id: string }\nexport const limit: number = 1;\n',
  'contract/schema/message.ts': "import zod from 'zod';\nexport const schema: unknown = zod;\n",
  'agents/records.ts': "import { limit } from '../contract/messages.ts';\nexport const records = limit;\n",
  'sink/main.ts': "import { limit } from '../contract/messages.ts';\nimport 'node:fs';\nvoid limit;\n",
  'catalog/read.ts': "import { records } from '../agents/records.ts';\nexport const read = records;\n",
  'daemon-lite/registry/registry.ts':
    "import type { Message } from '../../contract/messages.ts';\nexport type Row = Message;\n",
  'wrappers/claude/main.ts': 'export const claude = 1;\n',
  'wrappers/codex/main.ts': 'export const codex = 1;\n',
  'cli/main.ts': "import { read } from '../catalog/read.ts';\nvoid read;\n",
};

/** Each file breaks one rule when it is added to the good tree. */
const BAD: { rule: string; file: string; text: string }[] = [
  {
    rule: 'contract-imports-nobody',
    file: 'contract/bad.ts',
    text: "import '../agents/records.ts';",
  },
  {
    rule: 'agents-imports-only-contract',
    file: 'agents/bad.ts',
    text: "import type { Row } from '../daemon-lite/registry/registry.ts';\nexport type Bad = Row;",
  },
  {
    rule: 'wrappers-imports-only-agents-and-contract',
    file: 'wrappers/codex/bad.ts',
    text: "export { read } from '../../catalog/read.ts';",
  },
  ...(['shared', 'pty', 'codex'] as const).map((folder) => ({
    rule: `wrappers-${folder}-stands-below`,
    file: `wrappers/${folder}/bad.ts`,
    text: "import { claude } from '../claude/main.ts';\nvoid claude;",
  })),
  {
    rule: 'wrappers-claude-stands-below',
    file: 'wrappers/claude/bad.ts',
    text: "import { codex } from '../codex/main.ts';\nvoid codex;",
  },
  {
    rule: 'catalog-imports-only-agents-and-contract',
    file: 'catalog/bad.ts',
    text: "void import('../sink/main.ts');",
  },
  {
    rule: 'editors-imports-only-contract',
    file: 'editors/vscode/bad.ts',
    text: "import '../../agents/records.ts';",
  },
  {
    rule: 'nobody-imports-tests',
    file: 'shims/bad.ts',
    text: "import '../test/helper.ts';",
  },
  {
    rule: 'hot-path-reaches-no-package',
    file: 'sink/bad.ts',
    text: "import zod from 'zod';\nvoid zod;",
  },
  {
    rule: 'hot-path-reaches-no-schema',
    file: 'wrappers/claude/bad.ts',
    text: "import { schema } from '../../contract/schema/message.ts';\nvoid schema;",
  },
  {
    rule: 'contract-outside-schema-needs-no-package',
    file: 'contract/bad.ts',
    text: "import { schema } from './schema/message.ts';\nvoid schema;",
  },
  {
    rule: 'registry-imports-no-node-module',
    file: 'daemon-lite/registry/bad.ts',
    text: "import path from 'node:path';\nvoid path;",
  },
  {
    rule: 'registry-reaches-no-io',
    file: 'daemon-lite/registry/bad.ts',
    text: "import '../store.ts';",
  },
  {
    rule: 'every-import-resolves',
    file: 'cli/bad.ts',
    text: "import './not-there.ts';",
  },
];

const SUPPORT = {
  'test/helper.ts': 'export {};',
  'daemon-lite/store.ts': "import fs from 'node:fs';\nvoid fs;",
};

describe('the import direction check', () => {
  it('finds nothing to say about a tree that keeps the rules', async () => {
    const report = await checkImportDirection(tree({ ...GOOD, ...SUPPORT }));
    expect(report).toEqual({ files: 10, read: 10, problems: [] });
  });

  it.each(BAD)('reports $rule', async ({ rule, file, text }) => {
    const report = await checkImportDirection(tree({ ...GOOD, ...SUPPORT, [file]: text }));
    expect(report.problems.some((line) => line.startsWith(`${rule}: ${file} -> `))).toBe(true);
  });

  it('finds a package that a hot path reaches through other rooms', async () => {
    const files = {
      'sink/main.ts': "import '../agents/deep.ts';",
      'agents/deep.ts': "import zod from 'zod';\nvoid zod;",
    };
    const { problems } = await checkImportDirection(tree({ ...GOOD, ...files }));
    expect(problems).toEqual(['hot-path-reaches-no-package: sink/main.ts -> node_modules/zod/index.js']);
  });

  it('fails on a tree without source files', async () => {
    const report = await checkImportDirection(tree({ 'test/only.ts': 'export {};' }));
    expect(report.read).toBe(0);
    expect(report.problems).toHaveLength(1);
  });

  it('fails when the reader saw no module, or fewer than there are files', async () => {
    const root = tree(GOOD);
    const seeing = (sources: string[]) =>
      (async () => ({
        exitCode: 0,
        output: { modules: sources.map((source) => ({ source })), summary: { violations: [] } },
      })) as unknown as typeof cruise;

    const blind = await checkImportDirection(root, seeing([]));
    expect(blind.problems).toHaveLength(Object.keys(GOOD).length);

    const shortSighted = await checkImportDirection(root, seeing(Object.keys(GOOD).slice(1)));
    expect(shortSighted.problems).toEqual(['not read: contract/messages.ts']);
  });

  it('holds for this project', async () => {
    const report = await checkImportDirection(path.join(import.meta.dirname, '../..'));
    expect(report.problems).toEqual([]);
    expect(report.read).toBeGreaterThan(10);
  });
});
