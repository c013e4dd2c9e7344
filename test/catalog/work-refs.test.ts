import { describe, expect, it } from 'vitest';
import { WorkRefExtractor, withTitles } from '../../catalog/work-refs.ts';

describe('work references', () => {
  const extractor = new WorkRefExtractor();

  it('are initiatives and roadmap items by default, one entry each with every place', () => {
    expect(
      extractor.extract([
        { place: 'title', text: 'Start INIT-SHOP-001' },
        { place: 'prompt', text: 'INIT-SHOP-001 needs RMI-TILL-0042 first; see INIT-SHOP-001' },
        { place: 'branch', text: 'feature/RMI-TILL-0042' },
      ]),
    ).toEqual([
      { id: 'INIT-SHOP-001', rule: 'initiative', places: ['title', 'prompt'] },
      { id: 'RMI-TILL-0042', rule: 'rmi', places: ['prompt', 'branch'] },
    ]);
  });

  it.each(['INIT-SHOP-01', 'init-shop-001', 'XINIT-SHOP-001', 'INIT--001', 'INIT-SHOP-001x'])(
    '%j is none',
    (text) => {
      expect(extractor.extract([{ place: 'title', text }])).toEqual([]);
    },
  );

  it('follow the configured rules instead, the first rule that finds one names it', () => {
    const custom = new WorkRefExtractor([
      { name: 'ticket', pattern: '\\bSHOP-\\d+\\b' },
      { name: 'any', pattern: '[A-Z]+-\\d+' },
    ]);
    expect(custom.extract([{ place: 'title', text: 'SHOP-1 and TILL-2' }])).toEqual([
      { id: 'SHOP-1', rule: 'ticket', places: ['title'] },
      { id: 'TILL-2', rule: 'any', places: ['title'] },
    ]);
  });

  it('are found in linear time, whatever the rule and the text', () => {
    const trap = new WorkRefExtractor([{ name: 'trap', pattern: '(a+)+$' }]);
    const began = performance.now();
    trap.extract([{ place: 'prompt', text: `${'a'.repeat(60_000)}!` }]);
    // A backtracking engine would not come back.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it('never come from a rule that matches nothing at all', () => {
    expect(
      new WorkRefExtractor([{ name: 'empty', pattern: 'x*' }]).extract([{ place: 'a', text: 'yyy' }]),
    ).toEqual([]);
  });

  it('get titles from a resolver, and stay as they are where it fails', async () => {
    const refs = extractor.extract([{ place: 'title', text: 'INIT-SHOP-001 INIT-SHOP-002' }]);
    const resolver = { titles: async () => new Map([['INIT-SHOP-001', 'Open the shop']]) };
    expect((await withTitles(refs, resolver)).map(({ title }) => title)).toEqual([
      'Open the shop',
      undefined,
    ]);
    const broken = { titles: () => Promise.reject(new Error('offline')) };
    expect(await withTitles(refs, broken)).toEqual(refs);
    expect(await withTitles(refs, undefined)).toEqual(refs);
  });
});
