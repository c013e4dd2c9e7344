import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type KindRunners, loadVectorFiles, vectorsDir } from './load.ts';

/**
 * Runs every vector file found in OMNI_DEV_VECTORS (default: test/vectors/data). The area of a file is its
 * `schema.file` without `.json`; `kinds/<area>.ts` exports `kinds`, the runners of that area by case kind.
 */
const dir = vectorsDir();
const files = loadVectorFiles(dir);
const notBuilt = new Map<string, string[]>();

async function runnersOf(area: string): Promise<KindRunners> {
  const file = path.join(import.meta.dirname, 'kinds', `${area}.ts`);
  if (!/^[a-z-]+$/.test(area) || !existsSync(file)) return {};
  const module = (await import(`./kinds/${area}.ts`)) as { kinds: KindRunners };
  return module.kinds;
}

describe(`vectors of ${process.env.OMNI_DEV_VECTORS === undefined ? 'the project' : dir}`, async () => {
  it('finds vector files', () => expect(files.length).toBeGreaterThan(0));

  for (const { name, content } of files) {
    const area = (content.schema?.file ?? content.file ?? name).replace(/\.json$/, '');
    const runners = await runnersOf(area);
    describe(name, () => {
      for (const testCase of content.cases) {
        const run = runners[testCase.kind ?? 'case'];
        if (run === undefined) {
          const key = `${area} / ${testCase.kind ?? 'case'}`;
          notBuilt.set(key, [...(notBuilt.get(key) ?? []), testCase.name]);
          continue;
        }
        it(testCase.name, () => run(testCase));
      }
    });
  }

  it('has a runner for every kind of case', () => {
    const missing = [...notBuilt].map(([kind, names]) => `${kind}: ${names.length} (${names.join(', ')})`);
    expect(missing, 'not built yet').toEqual([]);
  });

  afterAll(() => {
    for (const [kind, names] of notBuilt)
      console.log(`not built yet: ${kind}: ${names.length}: ${names.join(', ')}`);
  });
});
