import { describe, expect, it } from 'vitest';
import { ROOMS, sourceFiles } from './error-codes.ts';
import { codeIn, page, rowsOf } from './tables.ts';
import { variablesRead } from './variables.ts';

const text = page('operating.md');

describe('docs/operating.md', () => {
  const read = variablesRead(sourceFiles([...ROOMS, 'editors']));
  const isOurs = (name: string) => name.startsWith('OMNI_DEV_');

  it('names every variable of ours that the programs read, and no other', () => {
    const documented = rowsOf(text, 'variable').map(([name = '']) => codeIn(name)[0] ?? '');
    const ours = [...read].filter(isOurs).sort();
    expect(ours.length).toBeGreaterThan(8);
    expect(documented.sort()).toEqual(ours);
  });

  it('names no variable of another program that nobody reads', () => {
    const [, others = ''] = /Of other programs' variables: ([\s\S]*?)\n\n/.exec(text) ?? [];
    const names = codeIn(others).filter((name) => /^[A-Z_]+$/.test(name));
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !read.has(name))).toEqual([]);
  });
});
